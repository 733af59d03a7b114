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

/** Places in a script that may assign JSON: the first ones. */
const ASSIGNMENTS = 50;
/** What servers put before JSON, so that other sites can't run it as a script. */
const GUARD = /^\s*(?:\)\]\}'?,?|while\s*\(1\);|for\s*\(;;\);)/;
/** Where scripts assign a value that may be JSON. */
const ASSIGNED = /=\s*(?=[[{])/g;

/** The value of a text that is JSON, or a script that assigns some; the longest counts. @throws SyntaxError */
export function jsonIn(text: string): unknown {
  const body = text.replace(GUARD, "");
  try {
    return parseJson(body);
  } catch (error) {
    let longest = "";
    for (const match of [...body.matchAll(ASSIGNED)].slice(0, ASSIGNMENTS)) {
      const assigned = bracketed(body, match.index + match[0].length);
      if (assigned.length > longest.length && isJsonText(assigned)) longest = assigned;
    }
    if (longest === "") throw error;
    return parseJson(longest);
  }
}

function isJsonText(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** From a bracket to the one that closes it. */
function bracketed(text: string, start: number): string {
  const tokens = /"(?:[^"\\]|\\.)*"|[[\]{}]/gs;
  tokens.lastIndex = start;
  let depth = 0;
  for (let token = tokens.exec(text); token; token = tokens.exec(text)) {
    if (/^[[{]/.test(token[0])) depth += 1;
    else if (/^[\]}]/.test(token[0])) depth -= 1;
    if (depth === 0) return text.slice(start, tokens.lastIndex);
  }
  return "";
}
