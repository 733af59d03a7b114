/** So many digits in a row may be a number that JavaScript has no exact value for, such as the id of a post. */
const LONG = /\d{16}/;

/**
 * The value of a JSON text. Numbers that JavaScript can't represent exactly become strings with their digits.
 * @throws SyntaxError
 */
export function parseJson(text: string): unknown {
  if (!LONG.test(text)) return JSON.parse(text);
  const exact = (_: string, value: unknown, { source }: { source?: string } = {}) =>
    typeof value === "number" && Math.abs(value) > Number.MAX_SAFE_INTEGER && source !== undefined
      ? source
      : value;
  return JSON.parse(text, exact);
}
