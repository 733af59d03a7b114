import { invalid } from "./errors.ts";

/** A token of an expression. The kind `name` is a plain attribute name, a function name or a keyword. */
export interface Token {
  kind: "name" | "#name" | ":value" | "integer" | "symbol" | "end";
  text: string;
}

const MAX_EXPRESSION_BYTES = 4096;
const TOKEN =
  /\s*(?:(?<name>[A-Za-z_]\w*)|(?<nameReference>#\w+)|(?<valueReference>:\w+)|(?<integer>\d+)|(?<symbol><>|<=|>=|[=<>()[\],.+-]))/y;

/**
 * Splits an expression into tokens.
 * @throws DynamoDbError if the text is empty, too long, or has an invalid character
 */
export function tokenize(expression: string, text: string): Token[] {
  const bytes = Buffer.byteLength(text);
  if (text.trim() === "") throw invalid(`Invalid ${expression}: The expression can not be empty;`);
  if (bytes > MAX_EXPRESSION_BYTES) {
    throw invalid(
      `Invalid ${expression}: Expression size has exceeded the maximum allowed size; expression size: ${bytes}`,
    );
  }
  const tokens: Token[] = [];
  const end = text.trimEnd().length;
  const pattern = new RegExp(TOKEN);
  while (pattern.lastIndex < end) {
    const at = pattern.lastIndex;
    const groups = pattern.exec(text)?.groups;
    if (groups === undefined) {
      const near = text.slice(at).trim();
      throw invalid(`Invalid ${expression}: Syntax error; token: "${near[0]}", near: "${near.slice(0, 20)}"`);
    }
    const { name, nameReference, valueReference, integer, symbol } = groups;
    if (name !== undefined) tokens.push({ kind: "name", text: name });
    else if (nameReference !== undefined) tokens.push({ kind: "#name", text: nameReference });
    else if (valueReference !== undefined) tokens.push({ kind: ":value", text: valueReference });
    else if (integer !== undefined) tokens.push({ kind: "integer", text: integer });
    else tokens.push({ kind: "symbol", text: symbol as string });
  }
  return [...tokens, { kind: "end", text: "<EOF>" }];
}
