import type { Inspection, InspectionRequest } from "../../../functions/contract/inspections/inspection.ts";
import { ROWS_LIMIT_DEFAULT } from "../../../functions/contract/runs/rows-limit.ts";
import { readAddress, type TypedAddress } from "../../../functions/inspections/typed-address.ts";
import { connect } from "../../client/api.ts";
import { inspect } from "../../client/inspections.ts";
import type { Where } from "../../client/target.ts";
import { CommandError, EXIT, wrongUse } from "../../command-error.ts";
import { problemsOf } from "../../inspections/check-report.ts";
import { type NewScraper, newScraper } from "../../inspections/new-scraper.ts";
import { shortened } from "../../terminal/preview-table.ts";
import { note } from "../../terminal/print.ts";
import { working } from "../../terminal/working.ts";
import { chooseList } from "./choose-list.ts";
import { fieldsTable, nameOfPagination, pageLines } from "./inspected.ts";
import { confirmOutput, save, store } from "./keep.ts";

interface Options extends Where {
  output?: string;
  name?: string;
  list?: number;
  fromJson?: boolean;
  session?: string;
  check?: string;
  yes?: boolean;
  json?: boolean;
}

/** Warnings which mean that the page is probably not the one that the user wants. */
const DOUBTS = new Set(["content_in_frame", "sign_in_required", "visit_refused", "no_main_list"]);
/** How many rows of each page an inspection returns at most. */
const ROWS_MAX = 50;

type Drafted = Extract<NewScraper, { outcome: "drafted" }>;

/**
 * Creates a scraper from the address of a page: shows the lists of the page, asks the user to choose one, looks for a
 * pagination that leads to new rows, and stores the scraper or writes it to a file.
 */
export async function create(text: string, options: Options): Promise<void> {
  const { output, name, list: number, fromJson: isJson, session, check, yes, json, ...where } = options;
  if (check !== undefined && session === undefined)
    throw wrongUse("--check belongs to a session. Add --session NAME.");
  const address = addressOf(text);
  if (address.isGuessed) note(`Using ${address.url}, because the address has no scheme.`);
  const api = await connect(where);
  if (output !== undefined) await confirmOutput(output, yes);
  const isUnasked = yes === true || !process.stdin.isTTY;
  const made = await newScraper({
    url: address.url,
    ...(session !== undefined && {
      session: { name: session, ...(check !== undefined && { check: { text: check } }) },
    }),
    inspect: (request) => working(workOf(request), inspect(api, request)),
    async choose(lists, page) {
      tellPage(page);
      if (isUnasked && number === undefined) refuseDoubtful(page);
      return chooseList(lists, { number, isJson, isUnasked });
    },
  });
  if (made.outcome === "failed") throw failure(made.inspection, address);
  if (made.outcome === "no_list") throw noList(made.inspection);
  if (made.outcome === "none_chosen") throw noneChosen();
  if (made.outcome === "no_check") throw noCheck();
  const definition = { ...made.definition, ...(name !== undefined && { name }) };
  tell({ ...made, definition });
  if (output !== undefined) await save(definition, output, json);
  else await store(api, definition, json);
}

function addressOf(text: string): TypedAddress {
  const address = readAddress(text);
  if (address !== undefined) return address;
  throw wrongUse(
    `"${text}" is not the address of a web page. Write it as https://example.com/list, without a user name or password.`,
  );
}

function workOf({ url, definition, pages }: Partial<InspectionRequest>): string {
  if (url !== undefined) return `Opening ${url}`;
  if (pages === 1 || definition === undefined) return "Reading the list";
  return `Reading ${pages === 3 ? "three" : "two"} pages with ${nameOfPagination(definition.pagination)}`;
}

function tellPage({ page, warnings }: Inspection): void {
  if (page) note(`${page.title === "" ? "The page" : `"${page.title}"`} at ${page.url}`);
  for (const { message } of warnings) note(`Warning: ${message}`);
}

/** @throws CommandError if the page is probably not the one that the user wants. Called if the user can't be asked. */
function refuseDoubtful({ warnings }: Inspection): void {
  const doubt = warnings.find(({ code }) => DOUBTS.has(code));
  if (doubt)
    throw new CommandError(
      EXIT.failed,
      `Nothing was stored. ${doubt.message} To use a list of this page anyway, add --list NUMBER.`,
    );
}

function tell({ definition, proof, rejected }: Drafted): void {
  const { pagination, rows_limit = ROWS_LIMIT_DEFAULT } = definition;
  note(fieldsTable(proof.fields, process.stderr.columns));
  for (const line of pageLines(proof.pages)) note(line);
  const second = firstOfPage2(proof);
  const value = second && Object.values(second).find((text) => text !== "");
  if (value !== undefined) note(`Page 2 begins with ${JSON.stringify(shortened(value, 60))}.`);
  for (const { pagination: other, proof: tried } of rejected)
    note(`Left out ${nameOfPagination(other)}: ${whyRejected(tried)}`);
  const list = definition.steps.find((step) => step.type === "get_list");
  if (list?.type === "get_list" && list.key)
    note(
      `Some rows are on both pages. The scraper keeps the first of those with the same ${list.key.join(", ")}.`,
    );
  const { session } = definition;
  if (session)
    note(
      `Session: ${session.name}, which is signed in if the page shows ${JSON.stringify(session.check.text)}.`,
    );
  note(
    `Pagination: ${nameOfPagination(pagination)}. A run stops at ${rows_limit.toLocaleString("en")} rows.`,
  );
  for (const problem of problemsOf(proof, 1)) note(`Warning: ${problem}`);
}

const whyRejected = ({ error, pages }: Inspection): string => {
  if (error) return error.message;
  return pages.slice(1).some(({ new_rows }) => new_rows > 0)
    ? "only some of its pages brought new rows."
    : "it brought no new rows.";
};

const firstOfPage2 = ({ rows, pages }: Inspection) => rows?.[Math.min(pages[0]?.rows ?? 0, ROWS_MAX)];

function failure({ error }: Inspection, { url, isGuessed }: TypedAddress): CommandError {
  const advice =
    isGuessed && url.startsWith("https:") && error?.code === "navigation_failed"
      ? ` The address had no scheme, so https was used. If the site has no https, enter ${url.replace("https:", "http:")}.`
      : "";
  return new CommandError(EXIT.failed, `Nothing was stored. ${error?.message}${advice}`);
}

const noList = ({ warnings }: Inspection) =>
  new CommandError(EXIT.failed, ["Nothing was stored.", ...warnings.map(({ message }) => message)].join(" "));

const noCheck = () =>
  new CommandError(
    EXIT.failed,
    "Nothing was stored. The page shows no control that signs out, so a run could not tell whether it is signed in. Add --check with a text that only a signed-in visitor sees on this page.",
  );

const noneChosen = () =>
  new CommandError(
    EXIT.failed,
    "Nothing was stored. To read another part of the page, write the steps yourself: docs/scrapers.md describes them.",
  );
