import { type Inspection, InspectionRequest } from "../contract/inspections/inspection.ts";
import { browsingOf, type ScraperDefinition } from "../contract/scrapers/scraper.ts";
import { ValidationError, validate } from "../contract/validate.ts";
import type { InspectionTask } from "../inspections/task.ts";
import { getAccount } from "../store/accounts.ts";
import { creditsUsed, monthOf } from "../store/credits.ts";
import { INSPECTIONS_PER_ACCOUNT, takeInspectionSlot } from "../store/inspection-slots.ts";
import { getScraper } from "../store/scrapers.ts";
import { getSession } from "../store/sessions.ts";
import { HttpError, noCredits, notFound } from "./http-error.ts";
import type { ApiDeps, ApiHandler } from "./types.ts";

/** The value of `Retry-After`. */
const RETRY_SECONDS = 5;

export const createInspection: ApiHandler<"createInspection"> = async ({ account, body, closed }, deps) => {
  const request = validate(InspectionRequest, body);
  const source = await sourceOf(deps, account, request);
  const { through = source.steps.length - 1, pages, rows_limit, want, like } = request;
  if (through >= source.steps.length)
    throw new ValidationError([
      { path: "through", message: `must be at most ${source.steps.length - 1}, the index of the last step` },
    ]);
  if (request.session !== undefined && !(await getSession(deps.table, account, request.session)))
    throw notFound("session");
  const task: InspectionTask = {
    account,
    steps: source.steps.slice(0, through + 1),
    pagination: source.pagination,
    proxy: source.proxy,
    ...browsingOf(source),
    ...(request.session !== undefined && { session: { name: request.session } }),
    pages,
    rows_limit,
    want,
    like,
    credits_left: await creditsLeft(deps, account),
  };
  if (task.credits_left === 0) throw noCredits();
  const inspection = await inspectWithin(deps, task, closed);
  if (inspection) return { json: inspection };
  throw busy("No browser is free.");
};

/**
 * Runs an inspection if the account has not too many in progress. Returns undefined if no browser is free.
 * @throws HttpError 429 if the account has too many inspections in progress
 */
async function inspectWithin(
  { table, inspect, now, log }: ApiDeps,
  task: InspectionTask,
  closed: AbortSignal | undefined,
): Promise<Inspection | undefined> {
  const slot = await takeInspectionSlot(table, task.account, now());
  if (!slot)
    throw busy(
      `The account already has ${INSPECTIONS_PER_ACCOUNT} inspections in progress, the most it may have.`,
    );
  try {
    return await inspect(task, closed);
  } finally {
    // An error is not a problem: the slot also expires.
    await slot
      .release()
      .catch((error) => log.error("Could not release the slot of an inspection", { error }));
  }
}

const busy = (reason: string) =>
  new HttpError(429, `${reason} Try again in ${RETRY_SECONDS} s.`, {
    headers: { "retry-after": String(RETRY_SECONDS) },
  });

type Source = Pick<ScraperDefinition, "steps" | "pagination" | "proxy"> & Parameters<typeof browsingOf>[0];

/** The steps and settings to inspect. @throws HttpError 404 if the scraper does not exist */
async function sourceOf(
  { table }: ApiDeps,
  account: string,
  { definition, scraper_id, url }: InspectionRequest,
): Promise<Source> {
  if (definition) return definition;
  if (url !== undefined)
    return { steps: [{ type: "visit", url }], pagination: { type: "none" }, proxy: { type: "none" } };
  const scraper = await getScraper(table, account, scraper_id ?? "");
  if (!scraper) throw notFound("scraper");
  return scraper;
}

/** The credits that the account has left this month; null if it has no limit. */
async function creditsLeft({ table, now }: ApiDeps, account: string): Promise<number | null> {
  const limit = (await getAccount(table, account))?.credit_limit ?? null;
  return limit === null ? null : Math.max(0, limit - (await creditsUsed(table, account, monthOf(now()))));
}
