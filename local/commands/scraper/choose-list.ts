import type { Inspection } from "../../../functions/contract/inspection.ts";
import { inReadingOrder } from "../../../functions/inspections/draft-definition.ts";
import { wrongUse } from "../../command-error.ts";
import { ask } from "../../terminal/confirm.ts";
import { previewTable } from "../../terminal/preview-table.ts";
import { note } from "../../terminal/print.ts";
import { counted } from "../run/progress.ts";
import { WIDTH } from "./inspected.ts";

type List = NonNullable<Inspection["lists"]>[number];

export interface ChooseOptions {
  /** The number of the list, from 1. With a number, the user is not asked. */
  number?: number | undefined;
  /** Whether to take the first list without asking the user. */
  isUnasked: boolean;
}

/** Shows lists with some of their rows, and asks the user to choose one. Returns undefined if the user wants none. */
export async function chooseList(
  lists: readonly List[],
  { number, isUnasked }: ChooseOptions,
): Promise<List | undefined> {
  for (const [index, list] of lists.entries()) show(list, index + 1);
  if (number !== undefined) {
    const list = lists[number - 1];
    if (list !== undefined) return list;
    throw wrongUse(`The page has no list ${number}, only ${counted(lists.length, "list")}.`);
  }
  if (isUnasked) {
    note("Using list 1. To use another one, add --list NUMBER.");
    return lists[0];
  }
  const range = lists.length === 1 ? "1" : `1 to ${lists.length}`;
  for (;;) {
    const answer = await ask(`Which list do you want? [${range}, or q for none; Enter: 1] `);
    if (/^q(uit)?$/i.test(answer)) return undefined;
    const list = lists[Number(answer || "1") - 1];
    if (list !== undefined) return list;
    note(`"${answer}" is none of these lists.`);
  }
}

function show({ count, selector, fields, sample_rows }: List, number: number): void {
  const names = inReadingOrder(fields).map(({ name }) => name);
  const { table, omitted } = previewTable(names, sample_rows, process.stderr.columns ?? WIDTH);
  note(`\nList ${number}: ${counted(count, "row")} of ${selector}`);
  note(table);
  if (omitted.length > 0) note(`and ${omitted.join(", ")}`);
}
