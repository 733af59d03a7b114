import { invalid } from "./errors.ts";
import { ExpressionParser } from "./expression-parser.ts";
import { addNumbers, negateNumber } from "./numbers.ts";
import { assertDisjoint, changeAt, type Path, valueAt } from "./paths.ts";
import type { Scope } from "./scope.ts";
import { elementsOf, type Item, typeOf, type Value } from "./values.ts";

/** The value that SET assigns: an attribute, a value, if_not_exists, list_append, or a sum or difference. */
type Source =
  | { path: Path }
  | { value: Value }
  | { unlessExists: Path; otherwise: Source }
  | { lists: [Source, Source] }
  | { terms: [Source, Source]; isDifference: boolean };

/** A parsed UpdateExpression. */
export interface Update {
  set: { path: Path; source: Source }[];
  remove: { path: Path }[];
  add: { path: Path; value: Value }[];
  delete: { path: Path; value: Value }[];
}

const EXPRESSION = "UpdateExpression";
const SECTIONS = ["SET", "REMOVE", "ADD", "DELETE"] as const;

/** Parses an UpdateExpression. @throws DynamoDbError if it is invalid, or if it changes an attribute in `keys` */
export function parseUpdate(text: string, scope: Scope, keys: readonly string[]): Update {
  const update = new UpdateParser(EXPRESSION, text, scope).parse();
  const paths = changedPaths(update);
  for (const [name] of paths) {
    if (keys.includes(name)) throw invalidKeyUpdate(name);
  }
  assertDisjoint(EXPRESSION, paths);
  return update;
}

const invalidKeyUpdate = (name: string) =>
  invalid(
    `One or more parameter values were invalid: Cannot update attribute ${name}. This attribute is part of the key`,
  );

export const changedPaths = (update: Update): Path[] =>
  [...update.set, ...update.remove, ...update.add, ...update.delete].map(({ path }) => path);

class UpdateParser extends ExpressionParser {
  parse(): Update {
    const update: Update = { set: [], remove: [], add: [], delete: [] };
    const seen = new Set<string>();
    while (this.next.kind !== "end") {
      const section = SECTIONS.find((keyword) => this.accept(keyword));
      if (section === undefined) throw this.syntaxError();
      if (seen.has(section)) {
        throw this.error(`The "${section}" section can only be used once in an update expression;`);
      }
      seen.add(section);
      this.#section(section, update);
    }
    return update;
  }

  #section(section: (typeof SECTIONS)[number], update: Update): void {
    switch (section) {
      case "SET":
        update.set = this.list(() => this.#assignment());
        break;
      case "REMOVE":
        update.remove = this.list(() => ({ path: this.path() }));
        break;
      case "ADD":
        update.add = this.list(() => this.#operation(section, ["N", "SS", "NS", "BS"]));
        break;
      case "DELETE":
        update.delete = this.list(() => this.#operation(section, ["SS", "NS", "BS"]));
    }
  }

  #operation(section: string, types: string[]): { path: Path; value: Value } {
    const operation = { path: this.path(), value: this.value() };
    const type = typeOf(operation.value);
    if (types.includes(type)) return operation;
    throw this.error(
      `Incorrect operand type for operator or function; operator: ${section}, operand type: ${type}`,
    );
  }

  #assignment(): { path: Path; source: Source } {
    const path = this.path();
    this.expect("=");
    const first = this.#source();
    const isDifference = this.accept("-");
    if (!isDifference && !this.accept("+")) return { path, source: first };
    return { path, source: { terms: [first, this.#source()], isDifference } };
  }

  #source(): Source {
    if (this.next.kind === ":value") return { value: this.value() };
    if (!this.isCall) return { path: this.path() };
    const { text: name } = this.take();
    if (name === "list_append") {
      return { lists: this.args(name, 2, () => this.#source()) as [Source, Source] };
    }
    if (name !== "if_not_exists") throw this.error(`Invalid function name; function: ${name}`);
    const [subject, otherwise] = this.args(name, 2, () => this.#source()) as [Source, Source];
    if ("path" in subject) return { unlessExists: subject.path, otherwise };
    throw this.error(`Operator or function requires a document path; operator or function: ${name}`);
  }
}

/** The item after an update. All parts of the update read the values of the item before the update. */
export function applyUpdate(update: Update, before: Item): Item {
  const assigned = update.set.map(({ path, source }) => ({ path, value: evaluate(source, before) }));
  let item = before;
  for (const { path, value } of assigned) item = changeAt(item, path, () => value);
  for (const { path, value } of update.add) item = changeAt(item, path, (old) => added(old, value));
  for (const { path, value } of update.delete) item = changeAt(item, path, (old) => without(old, value));
  // Elements are removed from the end of a list to its start, so that the other indexes stay valid.
  for (const { path } of update.remove.toSorted(laterFirst)) item = changeAt(item, path, () => undefined);
  return item;
}

function laterFirst({ path: one }: { path: Path }, { path: other }: { path: Path }): number {
  const at = one.findIndex((step, depth) => step !== other[depth]);
  const [left, right] = [one[at], other[at]];
  return typeof left === "number" && typeof right === "number" ? right - left : 0;
}

function evaluate(source: Source, item: Item): Value {
  if ("value" in source) return source.value;
  if ("path" in source) {
    const value = valueAt(item, source.path);
    if (value !== undefined) return value;
    throw invalid("The provided expression refers to an attribute that does not exist in the item");
  }
  if ("unlessExists" in source) return valueAt(item, source.unlessExists) ?? evaluate(source.otherwise, item);
  if ("lists" in source) {
    const [one, other] = source.lists.map((part) => evaluate(part, item)) as [Value, Value];
    if ("L" in one && "L" in other) return { L: [...one.L, ...other.L] };
    throw wrongType();
  }
  const [one, other] = source.terms.map((term) => evaluate(term, item)) as [Value, Value];
  if (!("N" in one && "N" in other)) throw wrongType();
  return { N: addNumbers(one.N, source.isDifference ? negateNumber(other.N) : other.N) };
}

function added(before: Value | undefined, value: Value): Value {
  if (before === undefined) return value;
  if ("N" in before && "N" in value) return { N: addNumbers(before.N, value.N) };
  return setOf(before, value, (old, elements) => [...new Set([...old, ...elements])]);
}

function without(before: Value | undefined, value: Value): Value | undefined {
  if (before === undefined) return undefined;
  const left = setOf(before, value, (old, elements) => old.filter((one) => !elements.includes(one)));
  return elementsOf(left)?.length === 0 ? undefined : left;
}

function setOf(before: Value, value: Value, combine: (old: string[], elements: string[]) => string[]): Value {
  const [old, elements] = [elementsOf(before), elementsOf(value)];
  if (old === undefined || elements === undefined || typeOf(before) !== typeOf(value)) throw wrongType();
  return { [typeOf(before)]: combine(old, elements) } as Value;
}

const wrongType = () => invalid("An operand in the update expression has an incorrect data type");
