import { invalid } from "./errors.ts";
import { parseValue, type Value } from "./values.ts";

/** The names and values to which the placeholders in the expressions of one request refer. Each must be used. */
export class Scope {
  readonly #names: Record<string, unknown>;
  readonly #values: Map<string, Value>;
  readonly #unusedNames: Set<string>;
  readonly #unusedValues: Set<string>;

  constructor(names: Record<string, unknown> = {}, values: Record<string, unknown> = {}) {
    this.#names = names;
    this.#values = new Map(Object.entries(values).map(([name, value]) => [name, parseValue(value)]));
    this.#unusedNames = new Set(Object.keys(names));
    this.#unusedValues = new Set(this.#values.keys());
  }

  name(expression: string, reference: string): string {
    const name = Object.hasOwn(this.#names, reference) ? this.#names[reference] : undefined;
    if (typeof name !== "string") {
      throw invalid(
        `Invalid ${expression}: An expression attribute name used in the document path is not defined; attribute name: ${reference}`,
      );
    }
    this.#unusedNames.delete(reference);
    return name;
  }

  value(expression: string, reference: string): Value {
    const value = this.#values.get(reference);
    if (value === undefined) {
      throw invalid(
        `Invalid ${expression}: An expression attribute value used in expression is not defined; attribute value: ${reference}`,
      );
    }
    this.#unusedValues.delete(reference);
    return value;
  }

  /** @throws DynamoDbError if no expression uses one of the names or values */
  assertAllUsed(): void {
    for (const [field, unused] of [
      ["ExpressionAttributeNames", this.#unusedNames],
      ["ExpressionAttributeValues", this.#unusedValues],
    ] as const) {
      if (unused.size > 0) {
        throw invalid(`Value provided in ${field} unused in expressions: keys: {${[...unused].join(", ")}}`);
      }
    }
  }
}
