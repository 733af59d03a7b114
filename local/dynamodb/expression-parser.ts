import { invalid } from "./errors.ts";
import { type Token, tokenize } from "./lexer.ts";
import type { Path } from "./paths.ts";
import { RESERVED_WORDS } from "./reserved-words.ts";
import type { Scope } from "./scope.ts";
import type { Value } from "./values.ts";

/** The base class of the parsers for all kinds of expressions. */
export class ExpressionParser {
  /** The name of the request's field that contains the expression, for messages. */
  protected readonly expression: string;
  readonly #scope: Scope;
  readonly #tokens: Token[];
  #at = 0;

  constructor(expression: string, text: string, scope: Scope) {
    this.expression = expression;
    this.#scope = scope;
    this.#tokens = tokenize(expression, text);
  }

  protected get next(): Token {
    return this.#tokens[this.#at] as Token;
  }

  /** Whether the next tokens are a name and an opening parenthesis. */
  protected get isCall(): boolean {
    return this.next.kind === "name" && this.#tokens[this.#at + 1]?.text === "(";
  }

  protected take(): Token {
    const token = this.next;
    this.#at += 1;
    return token;
  }

  /** Takes the next token if it is this symbol or keyword. */
  protected accept(text: string): boolean {
    const { kind, text: found } = this.next;
    const accepted = (kind === "name" || kind === "symbol") && found.toUpperCase() === text;
    if (accepted) this.take();
    return accepted;
  }

  protected expect(text: string): void {
    if (!this.accept(text)) throw this.syntaxError();
  }

  protected expectEnd(): void {
    if (this.next.kind !== "end") throw this.syntaxError();
  }

  protected syntaxError(): Error {
    const near = this.#tokens.slice(Math.max(0, this.#at - 1), this.#at + 2).map(({ text }) => text);
    return this.error(`Syntax error; token: "${this.next.text}", near: "${near.join(" ")}"`);
  }

  protected error(message: string): Error {
    return invalid(`Invalid ${this.expression}: ${message}`);
  }

  /** Parses items that are separated by commas. */
  protected list<T>(item: () => T): T[] {
    const items = [item()];
    while (this.accept(",")) items.push(item());
    return items;
  }

  /** Parses the arguments of a function, in parentheses. */
  protected args<T>(name: string, count: number, argument: () => T): T[] {
    this.expect("(");
    const found = this.list(argument);
    this.expect(")");
    if (found.length !== count) {
      throw this.error(
        `Incorrect number of operands for operator or function; operator or function: ${name}, number of operands: ${found.length}`,
      );
    }
    return found;
  }

  protected value(): Value {
    if (this.next.kind !== ":value") throw this.syntaxError();
    return this.#scope.value(this.expression, this.take().text);
  }

  protected path(): Path {
    const path: [string, ...(string | number)[]] = [this.#name()];
    for (;;) {
      if (this.accept(".")) path.push(this.#name());
      else if (this.accept("[")) {
        if (this.next.kind !== "integer") throw this.syntaxError();
        path.push(Number(this.take().text));
        this.expect("]");
      } else return path;
    }
  }

  #name(): string {
    if (this.next.kind === "#name") return this.#scope.name(this.expression, this.take().text);
    if (this.next.kind !== "name") throw this.syntaxError();
    const { text } = this.take();
    if (RESERVED_WORDS.has(text.toUpperCase())) {
      throw this.error(`Attribute name is a reserved keyword; reserved keyword: ${text}`);
    }
    return text;
  }
}

class ProjectionParser extends ExpressionParser {
  parse(): Path[] {
    const paths = this.list(() => this.path());
    this.expectEnd();
    return paths;
  }
}

export const parseProjection = (text: string, scope: Scope): Path[] =>
  new ProjectionParser("ProjectionExpression", text, scope).parse();
