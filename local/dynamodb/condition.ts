import { ExpressionParser } from "./expression-parser.ts";
import { type Path, valueAt } from "./paths.ts";
import type { Scope } from "./scope.ts";
import {
  areEqual,
  bytesOf,
  compare,
  elementsOf,
  type Item,
  sizeOf,
  TYPES,
  typeOf,
  type Value,
} from "./values.ts";

export type Operand = { path: Path } | { value: Value } | { sizeOf: { path: Path } | { value: Value } };
export type Comparator = "=" | "<>" | "<" | "<=" | ">" | ">=";

export type Condition =
  | { kind: "and" | "or"; conditions: Condition[] }
  | { kind: "not"; condition: Condition }
  | { kind: "compare"; comparator: Comparator; left: Operand; right: Operand }
  | { kind: "between"; operand: Operand; lower: Operand; upper: Operand }
  | { kind: "in"; operand: Operand; candidates: Operand[] }
  | { kind: "exists"; path: Path; expected: boolean }
  | { kind: "type"; path: Path; type: string }
  | { kind: "begins_with"; operand: Operand; prefix: Operand }
  | { kind: "contains"; operand: Operand; element: Operand };

const MAX_CANDIDATES = 100;
const COMPARATORS: readonly Comparator[] = ["=", "<>", "<=", "<", ">=", ">"];
/** The types whose values can be compared with "<" and ">". */
const ORDERED: ReadonlySet<string> = new Set(["S", "N", "B"]);

/**
 * Parses a ConditionExpression, FilterExpression or KeyConditionExpression. `expression` is this name, for messages.
 * @throws DynamoDbError if the text is invalid
 */
export const parseCondition = (expression: string, text: string, scope: Scope): Condition =>
  new ConditionParser(expression, text, scope).parse();

class ConditionParser extends ExpressionParser {
  parse(): Condition {
    const condition = this.#or();
    this.expectEnd();
    return condition;
  }

  #or(): Condition {
    const conditions = [this.#and()];
    while (this.accept("OR")) conditions.push(this.#and());
    return conditions.length === 1 ? (conditions[0] as Condition) : { kind: "or", conditions };
  }

  #and(): Condition {
    const conditions = [this.#not()];
    while (this.accept("AND")) conditions.push(this.#not());
    return conditions.length === 1 ? (conditions[0] as Condition) : { kind: "and", conditions };
  }

  #not(): Condition {
    if (this.accept("NOT")) return { kind: "not", condition: this.#not() };
    if (this.accept("(")) {
      const condition = this.#or();
      this.expect(")");
      return condition;
    }
    return this.isCall && this.next.text !== "size" ? this.#function() : this.#comparison();
  }

  #function(): Condition {
    const { text: name } = this.take();
    const operand = () => this.#operand();
    switch (name) {
      case "attribute_exists":
      case "attribute_not_exists": {
        const [path] = this.args(name, 1, () => this.path()) as [Path];
        return { kind: "exists", path, expected: name === "attribute_exists" };
      }
      case "attribute_type": {
        const [subject, type] = this.args(name, 2, operand) as [Operand, Operand];
        return { kind: "type", path: this.#pathOf(name, subject), type: this.#typeName(type) };
      }
      case "begins_with": {
        const [subject, prefix] = this.args(name, 2, operand) as [Operand, Operand];
        for (const one of [subject, prefix]) this.#assertType(name, one, new Set(["S", "B"]));
        return { kind: "begins_with", operand: subject, prefix };
      }
      case "contains": {
        const [subject, element] = this.args(name, 2, operand) as [Operand, Operand];
        return { kind: "contains", operand: subject, element };
      }
      default:
        throw this.error(`Invalid function name; function: ${name}`);
    }
  }

  #comparison(): Condition {
    const left = this.#operand();
    if (this.accept("BETWEEN")) {
      const lower = this.#operand();
      this.expect("AND");
      return this.#between(left, lower, this.#operand());
    }
    if (this.accept("IN")) {
      this.expect("(");
      const candidates = this.list(() => this.#operand());
      this.expect(")");
      if (candidates.length > MAX_CANDIDATES) {
        throw this.error(
          `Incorrect number of operands for operator or function; operator or function: IN, number of operands: ${candidates.length}`,
        );
      }
      return { kind: "in", operand: left, candidates };
    }
    const comparator = COMPARATORS.find((symbol) => this.accept(symbol));
    if (comparator === undefined) throw this.syntaxError();
    const right = this.#operand();
    if (comparator !== "=" && comparator !== "<>") {
      for (const one of [left, right]) this.#assertType(comparator, one, ORDERED);
    }
    return { kind: "compare", comparator, left, right };
  }

  #between(operand: Operand, lower: Operand, upper: Operand): Condition {
    for (const one of [operand, lower, upper]) this.#assertType("BETWEEN", one, ORDERED);
    if ("value" in lower && "value" in upper) {
      const order = compare(lower.value, upper.value);
      if (order === undefined) {
        throw this.error(
          "The BETWEEN operator requires same data type for lower and upper bounds; " +
            `lower bound operand: AttributeValue: {${typeOf(lower.value)}}, upper bound operand: AttributeValue: {${typeOf(upper.value)}}`,
        );
      }
      if (order > 0) {
        throw this.error(
          "The BETWEEN operator requires upper bound to be greater than or equal to lower bound;",
        );
      }
    }
    return { kind: "between", operand, lower, upper };
  }

  #operand(): Operand {
    if (this.next.kind === ":value") return { value: this.value() };
    if (!this.isCall) return { path: this.path() };
    const { text: name } = this.take();
    if (name !== "size")
      throw this.error(`The function is not allowed to be used this way; function: ${name}`);
    const [operand] = this.args(name, 1, () => this.#operand()) as [Operand];
    if ("sizeOf" in operand) {
      throw this.error("The function is not allowed to be used this way; function: size");
    }
    if ("value" in operand && sizeOf(operand.value) === undefined) throw this.#wrongType(name, operand.value);
    return { sizeOf: operand };
  }

  #pathOf(name: string, operand: Operand): Path {
    if ("path" in operand) return operand.path;
    throw this.error(`Operator or function requires a document path; operator or function: ${name}`);
  }

  #typeName(operand: Operand): string {
    if (!("value" in operand) || !("S" in operand.value)) {
      throw this.error(
        "Incorrect operand type for operator or function; operator or function: attribute_type",
      );
    }
    const { S: type } = operand.value;
    if (!TYPES.has(type)) {
      throw this.error(
        `Invalid attribute type name found; type: ${type}, valid types: {${[...TYPES].join(",")}}`,
      );
    }
    return type;
  }

  #assertType(name: string, operand: Operand, types: ReadonlySet<string>): void {
    if ("value" in operand && !types.has(typeOf(operand.value))) throw this.#wrongType(name, operand.value);
    if ("sizeOf" in operand && !types.has("N")) throw this.#wrongType(name, { N: "0" });
  }

  #wrongType(name: string, value: Value): Error {
    return this.error(
      `Incorrect operand type for operator or function; operator or function: ${name}, operand type: ${typeOf(value)}`,
    );
  }
}

/** Whether a condition is true for an item. */
export function holds(condition: Condition, item: Item): boolean {
  const read = (operand: Operand) => readOperand(operand, item);
  switch (condition.kind) {
    case "and":
      return condition.conditions.every((one) => holds(one, item));
    case "or":
      return condition.conditions.some((one) => holds(one, item));
    case "not":
      return !holds(condition.condition, item);
    case "exists":
      return (valueAt(item, condition.path) !== undefined) === condition.expected;
    case "type": {
      const value = valueAt(item, condition.path);
      return value !== undefined && typeOf(value) === condition.type;
    }
    case "compare":
      return compares(condition.comparator, read(condition.left), read(condition.right));
    case "between": {
      const [value, lower, upper] = [condition.operand, condition.lower, condition.upper].map(read);
      return compares(">=", value, lower) && compares("<=", value, upper);
    }
    case "in":
      return condition.candidates.some((one) => compares("=", read(condition.operand), read(one)));
    case "begins_with":
      return beginsWith(read(condition.operand), read(condition.prefix));
    case "contains":
      return contains(read(condition.operand), read(condition.element));
  }
}

function readOperand(operand: Operand, item: Item): Value | undefined {
  if ("path" in operand) return valueAt(item, operand.path);
  if ("value" in operand) return operand.value;
  const value = readOperand(operand.sizeOf, item);
  const size = value && sizeOf(value);
  return size === undefined ? undefined : { N: String(size) };
}

function compares(comparator: Comparator, left: Value | undefined, right: Value | undefined): boolean {
  if (comparator === "<>") return !compares("=", left, right);
  if (left === undefined || right === undefined) return false;
  if (comparator === "=") return areEqual(left, right);
  const order = compare(left, right);
  if (order === undefined) return false;
  switch (comparator) {
    case "<":
      return order < 0;
    case "<=":
      return order <= 0;
    case ">":
      return order > 0;
    case ">=":
      return order >= 0;
  }
}

function beginsWith(value: Value | undefined, prefix: Value | undefined): boolean {
  if (value === undefined || prefix === undefined) return false;
  if ("S" in value && "S" in prefix) return value.S.startsWith(prefix.S);
  if (!("B" in value && "B" in prefix)) return false;
  const start = bytesOf(prefix.B);
  return bytesOf(value.B).subarray(0, start.length).equals(start);
}

function contains(value: Value | undefined, element: Value | undefined): boolean {
  if (value === undefined || element === undefined) return false;
  if ("S" in value && "S" in element) return value.S.includes(element.S);
  if ("B" in value && "B" in element) return bytesOf(value.B).includes(bytesOf(element.B));
  if ("L" in value) return value.L.some((one) => areEqual(one, element));
  const elements = elementsOf(value);
  if (elements === undefined || typeOf(value) !== `${typeOf(element)}S`) return false;
  return elements.includes(Object.values(element)[0]);
}
