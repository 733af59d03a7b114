import type { Definition } from "../api/api.ts";

/** A parsed definition, or a message about the first problem. */
export type Parsed = { definition: Definition } | { problem: string };

/** Parses a definition that a user types as JSON. Returns it, or the first problem and its place. */
export function parseDefinition(text: string): Parsed {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return { problem: `This is not valid JSON${placeIn(text, error)}.` };
  }
  if (!isObject(value)) return { problem: "A definition is an object: it begins with {." };
  const { name, steps } = value;
  if (typeof name !== "string") return { problem: '"name" must be a text.' };
  if (!Array.isArray(steps)) return { problem: '"steps" must be a list: it begins with [.' };
  for (const [index, step] of steps.entries()) {
    if (!isObject(step) || typeof step.type !== "string")
      return { problem: `steps[${index}] must be an object with a "type".` };
    if (
      step.type === "get_list" &&
      ((typeof step.selector !== "string" && !isObject(step.json)) || !isListOfFields(step.fields))
    )
      return {
        problem: `steps[${index}] must have a "selector" or "json", and "fields" that each have a "name".`,
      };
  }
  const { pagination } = value;
  if (pagination !== undefined && (!isObject(pagination) || typeof pagination.type !== "string"))
    return { problem: '"pagination" must be an object with a "type".' };
  return { definition: value as unknown as Definition };
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const isListOfFields = (value: unknown): boolean =>
  Array.isArray(value) && value.every((field) => isObject(field) && typeof field.name === "string");

/**
 * Line and column of the first error, for the end of a message. Browsers report them in different ways, or not at all.
 */
function placeIn(text: string, error: unknown): string {
  const message = error instanceof Error ? error.message : "";
  const [, line, column] = /line (\d+) column (\d+)/.exec(message) ?? [];
  if (line !== undefined) return `: line ${line}, column ${column}`;
  const [, position] = /position (\d+)/.exec(message) ?? [];
  const at = position === undefined ? mistakeIn(text, message) : Number(position);
  if (at === undefined) return "";
  const before = text.slice(0, at).split("\n");
  return `: line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}`;
}

/**
 * The index of the error, for a message without a position: it quotes the text around the error, or mentions the end.
 */
function mistakeIn(text: string, message: string): number | undefined {
  if (/end of/i.test(message)) return text.length;
  const [, token, around] =
    /token '(.)', (?:\.\.\.)?"([\s\S]*?)"(?:\.\.\.)? is not valid/.exec(message) ?? [];
  if (token === undefined || around === undefined) return undefined;
  const start = text.indexOf(around);
  return start === -1 ? undefined : start + Math.max(0, around.indexOf(token));
}
