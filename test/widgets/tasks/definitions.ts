import type { Row } from "../../../functions/contract/runs/run.ts";
import type { ListField, StepOf } from "../../../functions/contract/steps/steps.ts";
import { books } from "../data.ts";
import { SITE } from "../task.ts";

export const visit = (path: string): StepOf<"visit"> => ({ type: "visit", url: `${SITE}/${path}` });

/** A get_list step. `fields` maps names to selectors; the selector "" stands for the row itself. */
export const list = (
  selector: string,
  fields: Record<string, string>,
  more: Partial<StepOf<"get_list">> = {},
): StepOf<"get_list"> => ({
  type: "get_list",
  selector,
  fields: Object.entries(fields).map(
    ([name, field]): ListField => ({ name, ...(field && { selector: field }) }),
  ),
  ...more,
});

/** Fields for the first columns of a table, for `list`. */
export const columns = (...names: string[]) =>
  Object.fromEntries(names.map((name, index) => [name, `td:nth-child(${index + 1})`]));

/** The expected rows: some fields of each record, as strings. */
export const rowsOf = <T extends object>(records: readonly T[], ...names: (keyof T & string)[]): Row[] =>
  records.map((record) => Object.fromEntries(names.map((name) => [name, String(record[name])])));

/** A step that reads the cards of server-pages/. */
export const cards = list(".card", { title: "h3", author: ".author", price: ".price" });
export const cardRows = (count: number) => rowsOf(books.slice(0, count), "title", "author", "price");

/** A step that reads the list of books below the genre field, on pages of server-pages/ and pages/. */
export const genreList = list("#list .book", { title: "b", price: "i" });
export const booksOf = (genre: string) =>
  rowsOf(
    books.filter((book) => book.genre === genre),
    "title",
    "price",
  );
