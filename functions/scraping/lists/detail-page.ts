import type { Row } from "../../contract/runs/run.ts";
import type { ListField, StepOf } from "../../contract/steps/steps.ts";
import { type FailureCode, RunFailure } from "../../runs/failure.ts";
import { blank, cutOff } from "../page/document.ts";
import { navigateAndRead } from "../page/navigate.ts";
import { type FieldsRequest, readFields } from "../page/page-fields.ts";
import type { Tab } from "../page/tab.ts";
import { timeoutOf } from "../selectors/find-element.ts";
import type { Session } from "../session.ts";
import { LEAST_MS } from "../timing.ts";
import { requestOf, rowOf } from "./source.ts";

/** Failures of one page that don't concern the pages of other rows. */
const MISSING = new Set<FailureCode>(["http_error", "navigation_failed", "not_html", "timeout"]);

/** What is read on a page of each row; undefined if rows have no pages, or the steps of `each` show them. */
export const pageDetails = ({ details }: Pick<StepOf<"get_list">, "details">) =>
  details?.url_field === undefined ? undefined : { ...details, url_field: details.url_field };

export interface DetailRow {
  row: Row;
  url: string;
}

/** The result of loading the page of a row. */
export interface Loaded {
  /** The row, with the fields of its page if the page was read. */
  row: Row;
  loaded: boolean;
  values?: Row;
  /** The fields of its page that are probably those of a list. */
  listed?: string[];
  /** The address of the row's page, and the address that it redirected to. */
  redirect?: { from: string; to: string };
  missing?: RunFailure;
  /** The address of a request of its page that was not answered in time. */
  late?: string | undefined;
  failed?: { tab: Tab; error: unknown };
}

/**
 * The address of a row's page; undefined if the row has none.
 * @param page the page that the row is from
 */
export function detailAddress(
  row: Row,
  { fields, details }: StepOf<"get_list">,
  page: string,
): string | undefined {
  const field = fields.find(({ name }) => name === details?.url_field);
  const value = row[field?.name ?? ""] ?? "";
  // Values of href are absolute already, those of other attributes may be relative. Texts are addresses only if they can't
  // be anything else.
  const isAddress = !/^(text|html)$/.test(field?.attribute ?? "text") && /^\S+$/.test(value);
  const base = isAddress || /^[/?]|^\.\.?\//.test(value) ? page : undefined;
  const url = URL.parse(value, base)?.href;
  return url !== undefined && /^https?:/.test(url) ? url : undefined;
}

/** A page of a list. */
interface ListPage {
  rows: readonly Row[];
  url: string;
}

/**
 * Whether all rows of a page lead where rows of the page before it led, such as to `/record?n=1`. Then the server goes by the
 * page of the list that was requested last.
 */
export function leadsToSame(before: ListPage, page: ListPage, step: StepOf<"get_list">): boolean {
  const [known, addresses] = [before, page].map(({ rows, url }) =>
    rows.flatMap((row) => detailAddress(row, step, url) ?? []),
  ) as [string[], string[]];
  return addresses.length > 0 && addresses.every((address) => known.includes(address));
}

/** Opens the page of a row in a tab, and reads its fields. If that `failed`, the tab stays there as evidence. */
export async function openDetail(
  session: Session,
  tab: Tab,
  { row, url }: DetailRow,
  step: StepOf<"get_list">,
): Promise<Loaded> {
  const fields = step.details?.fields ?? [];
  try {
    const { values, listed, late } = await loadDetail(session, tab, url, {
      fields,
      names: fields.map(({ name }) => name),
      timeout: timeoutOf(step),
      budget: session.budget,
    });
    const redirect = { from: url, to: tab.document.url };
    const loaded = { row: { ...row, ...values }, loaded: true, values, redirect, listed, late };
    return Object.keys(values).length === 0 ? { ...loaded, missing: emptyDetail(url, fields) } : loaded;
  } catch (caught) {
    const error = session.failureOf(caught);
    const isFatal = session.budget.remaining() < LEAST_MS.detail || session.isStuckBy(error);
    if (!(error instanceof RunFailure) || !MISSING.has(error.code) || isFatal)
      return { row, loaded: false, failed: { tab, error } };
    return { row, loaded: false, missing: error };
  }
}

const emptyDetail = (url: string, fields: readonly ListField[]) =>
  new RunFailure(
    "element_not_found",
    `${url} has none of the fields ${fields.map(({ name }) => `"${name}"`).join(", ")}. Check their selectors against the page.`,
  );

async function loadDetail(
  session: Session,
  tab: Tab,
  url: string,
  request: FieldsRequest & { fields: readonly ListField[] },
): Promise<Pick<Loaded, "late"> & { values: Row; listed: string[] }> {
  try {
    return await navigateAndRead(session, tab, url, "site", async () => {
      const { values, several, isBlank } = await readFields(tab, {
        ...request,
        fields: request.fields.map(requestOf),
      });
      if (tab.main.isCutOff) throw cutOff(url);
      if (isBlank && values.every((value) => value === null)) throw blank(url);
      const listed = several.map(({ field }) => (request.fields[field] as ListField).name);
      const row = rowOf(values, request.fields);
      return { values: row, listed, late: await tab.network.late([row]) };
    });
  } finally {
    tab.main.takeLoads();
  }
}
