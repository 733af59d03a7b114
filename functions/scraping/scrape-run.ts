import { errors } from "playwright-core";
import type { Row } from "../contract/run.ts";
import type { Pagination } from "../contract/scraper.ts";
import type { Step, StepOf } from "../contract/steps.ts";
import { RunFailure } from "../runs/failure.ts";
import type { Browsers } from "./browser.ts";
import { type Budget, createBudget } from "./budget.ts";
import { collectRows } from "./collect.ts";
import { DEFAULT_TIMEOUT_MS, findElement, scopeOf } from "./find-element.ts";
import { navigate } from "./navigate.ts";
import type { Batch, Outcome, Scrape, ScrapeContext, ScrapeJob } from "./scrape.ts";
import { openSession, type Session } from "./session.ts";

/** The engine: runs the steps of a job in a browser of its own, and closes it on every path. */
export const createScraper = (browsers: Browsers): Scrape =>
  async function* scrape(job, context) {
    const leased = await browsers.lease();
    try {
      const session = await openSession(leased.browser, context);
      return yield* runSteps(session, job, context);
    } finally {
      await leased.close();
    }
  };

async function* runSteps(
  session: Session,
  job: ScrapeJob,
  context: ScrapeContext,
): AsyncGenerator<Batch, Outcome> {
  const budget = createBudget(context.deadline);
  const lastList = job.steps.findLastIndex((step) => step.type === "get_list");
  let left = job.rowsLimit - (job.from?.taken ?? 0);
  let visited = false;
  for (const [index, step] of job.steps.entries()) {
    if (left <= 0) break;
    try {
      if (step.type === "visit") visited = true;
      else if (!visited) throw new RunFailure("invalid_step", "No page is open yet. Put a visit step first.");
      if (step.type === "get_list") {
        const pagination: Pagination = index === lastList ? job.pagination : { type: "none" };
        for await (const rows of listPages(session, step, pagination, left, budget)) {
          left -= rows.length;
          yield { rows, place: {} };
        }
      } else {
        await act(session, step, context, budget);
      }
      session.countLoads();
    } catch (error) {
      const failure = toFailure(error, session);
      failure.step ??= index;
      if (isOptional(step) && failure.code === "element_not_found") continue;
      throw failure;
    }
  }
  return "done";
}

const isOptional = (step: Step) => "optional" in step && step.optional === true;

async function act(
  session: Session,
  step: Exclude<Step, { type: "get_list" }>,
  context: ScrapeContext,
  budget: Budget,
): Promise<void> {
  const { page } = session;
  switch (step.type) {
    case "visit":
      return navigate(page, step.url, context.egress, budget);
    case "click": {
      const element = await findElement(page, step, budget);
      return element.click({ timeout: budget.cut(step.timeout_ms ?? DEFAULT_TIMEOUT_MS) });
    }
    case "write_input": {
      const target = step.selector || step.field_name ? step : { ...step, selector: "input:visible" };
      const element = await findElement(page, target, budget);
      const timeout = budget.cut(step.timeout_ms ?? DEFAULT_TIMEOUT_MS);
      await element.fill(step.value, { timeout });
      if (step.submit) await element.press("Enter", { timeout });
      return;
    }
    case "select_dropdown": {
      const target = step.selector || step.field_name ? step : { ...step, selector: "select:visible" };
      const element = await findElement(page, target, budget);
      await element.selectOption(step.value, { timeout: budget.cut(step.timeout_ms ?? DEFAULT_TIMEOUT_MS) });
      return;
    }
    default:
      throw new RunFailure("invalid_step", `Steps of type ${step.type} can't be run yet.`);
  }
}

async function* listPages(
  session: Session,
  step: StepOf<"get_list">,
  pagination: Pagination,
  limit: number,
  budget: Budget,
): AsyncGenerator<Row[]> {
  const { page } = session;
  let left = limit;
  const maxPages = Number(Reflect.get(pagination, "max_pages") ?? Number.POSITIVE_INFINITY);
  const seen = new Set<string>();
  for (let number = 1; left > 0; number += 1) {
    await findElement(page, step, budget);
    session.countLoads();
    const rows = await takeRows(session, step, left);
    const signature = JSON.stringify([page.url(), rows]);
    if (seen.has(signature)) return;
    seen.add(signature);
    left -= rows.length;
    yield rows;
    if (left <= 0 || pagination.type !== "next_button" || number === maxPages) return;
    const next = scopeOf(page, step)
      .locator(pagination.selector ?? `text=${pagination.field_name}`)
      .first();
    if ((await next.count()) === 0 || (await next.isDisabled())) return;
    await next.click({ timeout: budget.cut(DEFAULT_TIMEOUT_MS) });
  }
}

async function takeRows(session: Session, step: StepOf<"get_list">, limit: number): Promise<Row[]> {
  const cells: (string | null)[][] = JSON.parse(
    await scopeOf(session.page, step).locator(step.selector).evaluateAll(collectRows, step.fields),
  );
  return cells.slice(0, limit).map((values) => {
    const row: Row = {};
    for (const [index, value] of values.entries()) {
      const name = step.fields[index]?.name;
      if (name !== undefined && value !== null) row[name] = value;
    }
    return row;
  });
}

/** Names what the browser threw by what it means for the run. */
function toFailure(error: unknown, session: Session): RunFailure {
  if (error instanceof RunFailure) return error;
  if (session.page.isClosed()) {
    return new RunFailure("browser_failed", "The browser ended while the run was going on. Run it again.", {
      cause: error,
    });
  }
  if (error instanceof errors.TimeoutError) {
    return new RunFailure(
      "timeout",
      `${session.page.url()} did not respond to the step in time. Check the page, or give the step more timeout_ms.`,
      { cause: error },
    );
  }
  return new RunFailure("internal_error", `The step could not be carried out on ${session.page.url()}.`, {
    cause: error,
  });
}
