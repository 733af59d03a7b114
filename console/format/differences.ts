export interface Difference {
  /** Such as `steps[2].selector`. */
  path: string;
  /** The values as JSON; undefined: there is none. */
  one: string | undefined;
  other: string | undefined;
}

/** Where two JSON values differ, down to single values. */
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
