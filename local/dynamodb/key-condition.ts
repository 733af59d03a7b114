import type { Comparator, Condition, Operand } from "./condition.ts";
import { invalid } from "./errors.ts";
import { type Keys, MAX_RANGE_BYTES } from "./schema.ts";
import type { Range } from "./table-file.ts";

/** No sort key that begins with a prefix is greater than the prefix followed by this text. */
const HIGHEST = "\u{10FFFF}".repeat(MAX_RANGE_BYTES / 4);
const REVERSED: Partial<Record<Comparator, Comparator>> = { "<": ">", ">": "<", "<=": ">=", ">=": "<=" };

/**
 * The partition and the bounds of the sort key that a KeyConditionExpression selects.
 * @throws DynamoDbError if the condition can't be used for a query
 */
export function keyCondition(condition: Condition, keys: Keys): Pick<Range, "bounds"> & { hash: string } {
  const conditions = condition.kind === "and" ? condition.conditions.flatMap(flatten) : [condition];
  const onHash = conditions.filter((one) => subjectOf(one) === keys.hash);
  const onRange = conditions.filter((one) => subjectOf(one) === keys.range);
  if (onHash.length === 0) throw invalid(`Query condition missed key schema element: ${keys.hash}`);
  if (onHash.length + onRange.length < conditions.length) {
    throw invalid(
      onRange.length === 0
        ? `Query condition missed key schema element: ${keys.range}`
        : "Conditions can be of length 1 or 2 only",
    );
  }
  const [equal, ...others] = onHash.flatMap(boundsOf);
  if (onRange.length > 1 || onHash.length > 1 || others.length > 0) {
    throw invalid("KeyConditionExpressions must only contain one condition per key");
  }
  if (equal?.comparator !== "=") throw invalid("Query key condition not supported");
  return { hash: equal.value, bounds: onRange.flatMap(boundsOf) };
}

const flatten = (condition: Condition): Condition[] =>
  condition.kind === "and" ? condition.conditions.flatMap(flatten) : [condition];

/** The attribute that a condition compares. */
function subjectOf(condition: Condition): string | undefined {
  if (condition.kind === "compare") return nameOf(condition.left) ?? nameOf(condition.right);
  if (condition.kind === "between" || condition.kind === "begins_with") return nameOf(condition.operand);
  throw invalid("Invalid operator used in KeyConditionExpression");
}

const nameOf = (operand: Operand): string | undefined =>
  "path" in operand && operand.path.length === 1 ? operand.path[0] : undefined;

type Bound = Range["bounds"][number];

function boundsOf(condition: Condition): Bound[] {
  if (condition.kind === "between") {
    return [
      { comparator: ">=", value: textOf(condition.lower) },
      { comparator: "<=", value: textOf(condition.upper) },
    ];
  }
  if (condition.kind === "begins_with") {
    const prefix = textOf(condition.prefix);
    return [
      { comparator: ">=", value: prefix },
      { comparator: "<=", value: prefix + HIGHEST },
    ];
  }
  if (condition.kind !== "compare" || condition.comparator === "<>") {
    throw invalid("Invalid operator used in KeyConditionExpression");
  }
  const { comparator, left, right } = condition;
  if (nameOf(left) !== undefined) return [{ comparator, value: textOf(right) }];
  return [{ comparator: (REVERSED[comparator] ?? comparator) as Bound["comparator"], value: textOf(left) }];
}

function textOf(operand: Operand): string {
  if (!("value" in operand))
    throw invalid("Invalid condition in KeyConditionExpression: Multiple attribute names");
  if (!("S" in operand.value)) {
    throw invalid(
      "One or more parameter values were invalid: Condition parameter type does not match schema type",
    );
  }
  return operand.value.S;
}
