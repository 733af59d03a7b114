import type { Inspection } from "../../../functions/contract/inspections/inspection.ts";
import { inReadingOrder } from "../../../functions/inspections/draft-definition.ts";
import { wrongUse } from "../../command-error.ts";
import type { ChosenList } from "../../inspections/new-scraper.ts";
import { ask } from "../../terminal/confirm.ts";
import { previewTable, shortened } from "../../terminal/preview-table.ts";
import { note } from "../../terminal/print.ts";
import { counted } from "../run/progress.ts";
import { WIDTH } from "./inspected.ts";

type List = NonNullable<Inspection["lists"]>[number];

export interface ChooseOptions {
  /** The number of the list, from 1. With a number, the user is not asked. */
  number?: number | undefined;
  /** Whether the rows are read from JSON. With this, the lists of elements are no choice. */
  isJson?: boolean | undefined;
  /** Whether to take the first list without asking the user. */
  isUnasked: boolean;
}

/** Shows lists with some of their rows, and asks the user to choose one. Returns undefined if the user wants none. */
export async function chooseList(
  lists: readonly List[],
  { number, isJson = false, isUnasked }: ChooseOptions,
): Promise<ChosenList | undefined> {
  for (const [index, list] of lists.entries()) show(list, index + 1);
  if (number !== undefined) return listWith(lists, number, isJson);
  if (isUnasked) {
    const first = isJson ? lists.findIndex(({ from_json }) => from_json) + 1 : 1;
    const chosen = listWith(lists, Math.max(first, 1), isJson);
    note(`Using list ${nameOf(first, isJson)}. To use another one, add --list NUMBER.`);
    return chosen;
  }
  const offered = lists.flatMap((list, index) => [
    ...(isJson ? [] : [nameOf(index + 1, false)]),
    ...(list.from_json ? [nameOf(index + 1, true)] : []),
  ]);
  const [first = ""] = offered;
  if (isJson && offered.length === 0) throw noJson();
  const range =
    offered.length === lists.length && !isJson && lists.length > 1
      ? `1 to ${lists.length}`
      : offered.join(", ");
  for (;;) {
    const answer =
      (await ask(`Which list do you want? [${range}, or q for none; Enter: ${first}] `)) || first;
    if (/^q(uit)?$/i.test(answer)) return undefined;
    const [, digits = "", json] = /^(\d+)(j?)$/i.exec(answer) ?? [];
    const list = lists[Number(digits) - 1];
    if (list !== undefined && offered.includes(answer.toLowerCase())) return { list, isJson: json !== "" };
    note(`"${answer}" is none of these lists.`);
  }
}

/** How the user names a list: "1" for its elements, and "1j" for its JSON. */
const nameOf = (number: number, isJson: boolean) => `${number}${isJson ? "j" : ""}`;

function listWith(lists: readonly List[], number: number, isJson: boolean): ChosenList {
  const list = lists[number - 1];
  if (list === undefined)
    throw wrongUse(`The page has no list ${number}, only ${counted(lists.length, "list")}.`);
  if (isJson && !list.from_json) throw noJson(number);
  return { list, isJson };
}

const noJson = (number?: number) =>
  wrongUse(
    `The page carries no JSON with the rows of ${number === undefined ? "one of its lists" : `list ${number}`} and more fields. Leave out --from-json.`,
  );

function show({ count, selector, fields, sample_rows, from_json: json }: List, number: number): void {
  note(`\nList ${number}: ${counted(count, "row")} of ${selector}`);
  showRows(inReadingOrder(fields), sample_rows);
  if (json === undefined) return;
  const { source = "the document", path } = json.json;
  note(
    `\nList ${nameOf(number, true)}: ${counted(json.count, "row")} from the JSON in ${source} at ${path}. ${json.matched} of the ${counted(count, "row")} of list ${number} are among them.`,
  );
  showRows(json.fields, json.sample_rows);
  for (const { field, rows, shown, in_json } of json.differences)
    note(
      `The field ${field} differs in ${counted(rows, "row")}, such as ${quoted(shown)} on the page and ${quoted(in_json)} in the JSON.`,
    );
}

const quoted = (value: string) => JSON.stringify(shortened(value, 60));

function showRows(fields: readonly { name: string }[], rows: List["sample_rows"]): void {
  const names = fields.map(({ name }) => name);
  const { table, omitted } = previewTable(names, rows, process.stderr.columns ?? WIDTH);
  note(table);
  if (omitted.length > 0) note(`and ${omitted.join(", ")}`);
}
