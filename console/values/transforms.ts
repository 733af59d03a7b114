import type { Transform } from "../../functions/contract/steps/transform.ts";

type Type = Transform["type"];

const LABELS: Record<Type, string> = {
  number: "The number in it",
  date: "The date in it",
  regex: "What matches a pattern",
  split: "A part of it",
  strip: "Without extra spaces",
  lower: "In lower case",
  absolute: "A whole address",
};

const FIRST: Partial<Record<Type, object>> = { regex: { pattern: "" }, split: { separator: "", part: 1 } };

/** The types as the options of a select. */
export const TRANSFORM_TYPES = Object.entries(LABELS).map(([value, label]) => ({
  value,
  label,
}));

export const newTransform = (type: Type): Transform => ({ type, ...FIRST[type] }) as Transform;

/** What is wrong with a transform, by its part; undefined if nothing is. The service checks the rest. */
export function problemOf(transform: Transform): { part: string; problem: string } | undefined {
  if (transform.type === "regex") {
    if (transform.pattern === "") return { part: "pattern", problem: "Enter a pattern, such as now (.*)" };
    try {
      new RegExp(transform.pattern, "u");
    } catch {
      return { part: "pattern", problem: "This is no regular expression." };
    }
  }
  if (transform.type === "split") {
    if (transform.separator === "")
      return { part: "separator", problem: "Enter what stands between the parts." };
    if (!Number.isInteger(transform.part) || transform.part === 0)
      return { part: "part", problem: "1 is the first part, -1 the last." };
  }
  if ("locale" in transform && transform.locale !== undefined && !isLocale(transform.locale))
    return { part: "locale", problem: "Write it as de or en-GB." };
  return undefined;
}

function isLocale(text: string): boolean {
  try {
    return Intl.NumberFormat.supportedLocalesOf(text).length > 0;
  } catch {
    return false;
  }
}
