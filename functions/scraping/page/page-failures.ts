import { RunFailure } from "../../runs/failure.ts";
import type { Oversize } from "../page-script/portions.ts";

/** What can't be taken because of its size, by the name of its field where it is one value. */
export function oversized({ row, field, size }: Oversize, names: readonly string[], url: string): RunFailure {
  const what =
    field === null
      ? `The ${row} rows of the list on ${url} hold ${size} characters together`
      : `The field ${names[field]} of row ${row + 1} on ${url} holds ${size} characters`;
  return new RunFailure(
    "too_large",
    `${what}, which is more than can be taken. Choose a smaller element or attribute, fewer fields, or a lower rows_limit.`,
  );
}

/** A page on which the browser's own functions don't do what they should. */
export const unreadable = (url: string, cause?: unknown) =>
  new RunFailure(
    "element_unusable",
    `${url} changes what the browser tells of it: by a form control that is named like a property of its form, or by a script. Name the elements by selectors, and choose them inside of the form.`,
    { cause },
  );
