export interface Difference {
  /** Where the values are, such as `steps[2].selector`. */
  path: string;
  /** The two values as JSON; undefined if that side has no such value. */
  one: string | undefined;
  other: string | undefined;
}

/** The differences between two JSON values. Objects and arrays are compared recursively. */
export function differences(one: unknown, other: unknown, path = ""): Difference[] {
  if (isObject(one) && isObject(other) && Array.isArray(one) === Array.isArray(other)) {
    const keys = new Set([...Object.keys(one), ...Object.keys(other)]);
    return [...keys].flatMap((key) =>
      differences(
        one[key],
        other[key],
        Array.isArray(one) ? `${path}[${key}]` : path === "" ? key : `${path}.${key}`,
      ),
    );
  }
  const [a, b] = [JSON.stringify(one), JSON.stringify(other)];
  return a === b ? [] : [{ path, one: a, other: b }];
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null;
