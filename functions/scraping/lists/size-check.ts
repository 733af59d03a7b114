import type { Row } from "../../contract/run.ts";
import type { StepOf } from "../../contract/steps.ts";
import { isNative, MARKED_ROWS } from "../selectors/marked-selectors.ts";
import type { Session } from "../session.ts";

/** How long the page may take to say how large its list is. */
const SIZE_MS = 2_000;

export interface ListRead {
  step: StepOf<"get_list">;
  /** Index of the step. */
  index: number;
  /** Rows of the list in all, and those of its last page. */
  total: number;
  last: readonly Row[];
}

/** Compares a list that has ended with what its page says of it. */
export async function checkSize(session: Session, { step, index, total, last }: ListRead): Promise<void> {
  const { tab, budget, warnings } = session;
  const selector = isNative(step.selector) ? step.selector : MARKED_ROWS;
  const options = { timeout: budget.cut(SIZE_MS), frame: step.frame };
  // A page that does not answer any more declares nothing.
  const declared = await tab.call("declaredSize", { selector }, options).catch(() => undefined);
  if (!declared) return;
  const { rows, missingColumns, range } = declared;
  const lacksFields = last.some((row) => step.fields.some(({ name }) => !Object.hasOwn(row, name)));
  const said: string[] = [];
  if (rows > total) said.push(`says in aria-rowcount that the list has ${rows} rows`);
  else if (range && range.to < range.total && total < range.total)
    said.push(`says that ${range.to} of ${range.total} rows are shown`);
  if (missingColumns > 0 && lacksFields)
    said.push(`says in aria-colcount that there are ${missingColumns} more columns than it shows`);
  if (said.length === 0) return;
  const message = `${tab.page.url()} ${said.join(", and ")}; ${total} rows were read. Check the list's selector, and whether the scraper needs a pagination or another type of it.`;
  warnings.add({ code: "rows_may_be_missing", message, step: index });
}
