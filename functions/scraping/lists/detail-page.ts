import type { Row } from "../../contract/run.ts";
import type { ListField, StepOf } from "../../contract/steps.ts";
import { type FailureCode, RunFailure } from "../../runs/failure.ts";
import { cutOff } from "../page/document.ts";
import { navigateAndRead } from "../page/navigate.ts";
import { type FieldsRequest, readFields } from "../page/page-fields.ts";
import type { Tab } from "../page/tab.ts";
import { timeoutOf } from "../selectors/find-element.ts";
import type { Session } from "../session.ts";
import { rowOf } from "./row.ts";

/** Failures of a page that say nothing about the pages of other rows. */
const MISSING = new Set<FailureCode>(["http_error", "navigation_failed", "not_html", "timeout"]);
/** With less time than this, a page fails because the run's time is used up. */
const LATE_MS = 500;

export type Details = NonNullable<StepOf<"get_list">["details"]>;

/** A row with the address of its page. */
export interface DetailRow {
  row: Row;
  url: string;
}

/** What became of a row. */
export interface Loaded {
  /** With the fields of its page, where that was read. */
  row: Row;
  loaded: boolean;
  /** The fields of its page alone. */
  values?: Row;
  /** The address of the row's page, and of the page that it led to. */
  redirect?: { from: string; to: string };
  /** Why the row stays as it is. */
  missing?: RunFailure;
  /** What ends the run. */
  failed?: { tab: Tab; error: unknown };
}

/**
 * The address of a row's page; undefined where it has none.
 * @param page the page that the row is from
 */
export function detailAddress(row: Row, { url_field: field }: Details, page: string): string | undefined {
  const value = row[field] ?? "";
  // Of attributes that hold addresses, the values are absolute; of others, only what can't be a text is an address.
  const base = /^[/?]|^\.\.?\//.test(value) ? page : undefined;
  const url = URL.parse(value, base)?.href;
  return url !== undefined && /^https?:/.test(url) ? url : undefined;
}

/** Opens the page of a row in a tab, and reads its fields. A tab that `failed` stays where it is, to show what went wrong. */
export async function openDetail(
  session: Session,
  tab: Tab,
  { row, url }: DetailRow,
  step: StepOf<"get_list">,
): Promise<Loaded> {
  const { fields } = step.details as Details;
  try {
    const values = await loadDetail(session, tab, url, {
      fields,
      names: fields.map(({ name }) => name),
      timeout: timeoutOf(step),
      budget: session.budget,
    });
    const redirect = { from: url, to: tab.document.url };
    const loaded = { row: { ...row, ...values }, loaded: true, values, redirect };
    return Object.keys(values).length === 0 ? { ...loaded, missing: emptyDetail(url, fields) } : loaded;
  } catch (caught) {
    const error = session.failureOf(caught);
    const isLate = session.budget.remaining() < LATE_MS || session.isStuckBy(error);
    if (!(error instanceof RunFailure) || !MISSING.has(error.code) || isLate)
      return { row, loaded: false, failed: { tab, error } };
    return { row, loaded: false, missing: error };
  }
}

const emptyDetail = (url: string, fields: readonly ListField[]) =>
  new RunFailure(
    "element_not_found",
    `${url} has none of the fields ${fields.map(({ name }) => `"${name}"`).join(", ")}. Check their selectors against the page.`,
  );

/** The fields of a page. */
async function loadDetail(
  session: Session,
  tab: Tab,
  url: string,
  request: FieldsRequest & { fields: readonly ListField[] },
): Promise<Row> {
  try {
    return await navigateAndRead(session, tab, url, "site", async () => {
      const values = await readFields(tab, request);
      if (tab.main.isCutOff) throw cutOff(url);
      return rowOf(values, request.fields);
    });
  } finally {
    tab.main.takeLoads();
  }
}
