import { invalid } from "./errors.ts";
import { attribute, type Item, type Value } from "./values.ts";

/** A document path: the attribute names and list indexes that lead to a value in an item. */
export type Path = readonly [string, ...(string | number)[]];

/** The value at a path; undefined if there is none. */
export function valueAt(item: Item, path: Path): Value | undefined {
  let value: Value | undefined = { M: item };
  for (const step of path) value = value && child(value, step);
  return value;
}

function child(value: Value, step: string | number): Value | undefined {
  if (typeof step === "number") return "L" in value ? value.L[step] : undefined;
  return "M" in value ? attribute(value.M, step) : undefined;
}

/** Returns the new value for the old one at a path. Undefined removes the value. */
type Change = (before: Value | undefined) => Value | undefined;

/** A copy of the item in which the value at a path is changed. @throws DynamoDbError if the path has no container */
export function changeAt(item: Item, path: Path, change: Change): Item {
  const changed = changeIn({ M: item }, path, change);
  return (changed as { M: Item }).M;
}

function changeIn(
  container: Value | undefined,
  [step, ...rest]: readonly (string | number)[],
  change: Change,
): Value {
  if (container === undefined || step === undefined) throw invalidPath();
  const before = child(container, step);
  const after = rest.length === 0 ? change(before) : changeIn(before, rest, change);
  if ("M" in container && typeof step === "string") {
    if (after !== undefined) return { M: { ...container.M, [step]: after } };
    const { [step]: _, ...others } = container.M;
    return { M: others };
  }
  if (!("L" in container && typeof step === "number")) throw invalidPath();
  // An index beyond the end of a list appends an element.
  const at = Math.min(step, container.L.length);
  return {
    L: container.L.toSpliced(at, before === undefined ? 0 : 1, ...(after === undefined ? [] : [after])),
  };
}

const invalidPath = () =>
  invalid("The document path provided in the update expression is invalid for update");

/**
 * @throws DynamoDbError if two paths are equal, one contains the other, or they use a value both as a map and a list
 */
export function assertDisjoint(expression: string, paths: readonly Path[]): void {
  for (const [at, one] of paths.entries()) {
    for (const other of paths.slice(at + 1)) {
      const shared = Math.min(one.length, other.length);
      const differs = one.slice(0, shared).findIndex((step, depth) => step !== other[depth]);
      if (differs === -1) {
        throw invalid(
          `Invalid ${expression}: Two document paths overlap with each other; must remove or rewrite one of these paths; path one: ${show(one)}, path two: ${show(other)}`,
        );
      }
      if (typeof one[differs] !== typeof other[differs]) {
        throw invalid(
          `Invalid ${expression}: Two document paths conflict with each other; must remove or rewrite one of these paths; path one: ${show(one)}, path two: ${show(other)}`,
        );
      }
    }
  }
}

const show = (path: Path) =>
  `[${path.map((step) => (typeof step === "number" ? `[${step}]` : step)).join(", ")}]`;

/** A tree of the parts of a value to keep, by name or index. A part with an empty map is kept as a whole. */
type Parts = Map<string | number, Parts>;

/** A copy of an item with only the values at these paths. */
export function project(item: Item, paths: readonly Path[]): Item {
  const root: Parts = new Map();
  for (const path of paths) {
    let parts = root;
    for (const step of path) {
      const next = parts.get(step) ?? new Map();
      parts.set(step, next);
      parts = next;
    }
  }
  return (pick({ M: item }, root) as { M: Item } | undefined)?.M ?? {};
}

function pick(value: Value, parts: Parts): Value | undefined {
  if (parts.size === 0) return value;
  const picked = [...parts].flatMap(([step, inner]) => {
    const part = child(value, step);
    const kept = part && pick(part, inner);
    return kept === undefined ? [] : [[step, kept] as const];
  });
  if (picked.length === 0) return undefined;
  if ("M" in value) return { M: Object.fromEntries(picked) };
  return { L: picked.toSorted(([one], [other]) => Number(one) - Number(other)).map(([, kept]) => kept) };
}
