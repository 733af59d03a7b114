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
const GUARD = /^\s*(?:\)\]\}'?,?|while\s*\((?:1|true)\);|for\s*\(;;\);|\{\}\s*&&)/;
/** The beginning of a script that only calls a function, perhaps after comments, and if there is one: that of JSONP. */
const CALL =
  /^(?:\s|\/\*[^*]*\*\/|\/\/.*\n)*(?:(?:typeof )?[\w$.]+(?: ===? ['"]function['"])? && )?[\w$.]*\(/;
/** Broken JSON assigns nothing: what looks so is in one of its texts. */
const BEGINS_AS_JSON = /^\s*(?:\{\s*"|\[)/;
/** Where scripts assign a value that may be JSON. */
const ASSIGNED = /=\s*(?=[[{])/g;

/**
 * What a document or a response has as JSON, also with a guard before it, as JSON Lines, or in a call of a function (JSONP),
 * which is never run. Nothing of the text is left out.
 * @returns the JSON, and its value
 * @throws SyntaxError
 */
export function readJson(text: string): { json: string; value: unknown } {
  const body = text.replace(GUARD, "");
  try {
    return { json: body, value: parseJson(body) };
  } catch (error) {
    const json = argumentIn(body) ?? (body.trim().includes("\n") ? listOfLines(body) : undefined);
    if (json === undefined) throw error;
    return { json, value: parseJson(json) };
  }
}

/** The same where it is an object or a list; undefined for any other text. */
export function readObject(text: string): ReturnType<typeof readJson> | undefined {
  try {
    const read = readJson(text);
    return typeof read.value === "object" && read.value !== null ? read : undefined;
  } catch {
    return undefined;
  }
}

/** The value of a script that is JSON, or assigns some; the longest counts. @throws SyntaxError */
export function jsonInScript(text: string): unknown {
  const body = text.replace(GUARD, "");
  try {
    return parseJson(body);
  } catch (error) {
    let longest = "";
    const places = BEGINS_AS_JSON.test(body) ? [] : [...body.matchAll(ASSIGNED)].slice(0, ASSIGNMENTS);
    for (const match of places) {
      const assigned = bracketed(body, match.index + match[0].length);
      if (assigned.length > longest.length && isJsonText(assigned)) longest = assigned;
    }
    if (longest === "") throw error;
    return parseJson(longest);
  }
}

/** JSON Lines as the text of a JSON list; undefined if a line is no JSON, such as a last one that is cut off. */
export function listOfLines(text: string): string | undefined {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  return lines.every(isJsonText) ? `[${lines.join(",")}]` : undefined;
}

/** What the only call of a script passes, if it is JSON. */
function argumentIn(script: string): string | undefined {
  const start = CALL.exec(script)?.[0].length;
  const end = script.lastIndexOf(")");
  if (start === undefined || !/^[\s;]*$/.test(script.slice(end + 1))) return undefined;
  const argument = script.slice(start, end);
  return isJsonText(argument) ? argument : undefined;
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
