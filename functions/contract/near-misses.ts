import type { Problem } from "./validate.ts";

/** The largest edit distance between a misspelled name and the name that was meant. */
const MOST_EDITS = 2;

/**
 * Reports fields of an input whose names look like typing errors of known ones, because unknown fields are ignored.
 * Other unknown fields are not reported. Returns no problems if the input is not an object.
 */
export function nearMisses(input: unknown, known: readonly string[], path = ""): Problem[] {
  if (typeof input !== "object" || input === null || Array.isArray(input)) return [];
  return Object.keys(input)
    .filter((name) => !known.includes(name))
    .flatMap((name) => {
      const [meant] = known.filter((other) => isNear(name, other));
      if (meant === undefined) return [];
      return [
        {
          path: path === "" ? name : `${path}.${name}`,
          message: `is not a known field; did you mean "${meant}"?`,
        },
      ];
    });
}

/** Whether the edit distance of two names is at most two, and less than the length of the known name. */
const isNear = (name: string, other: string) => {
  const most = Math.min(MOST_EDITS, other.length - 1);
  return Math.abs(name.length - other.length) <= most && edits(name, other) <= most;
};

/** The Levenshtein distance. */
function edits(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let at = 1; at <= one.length; at += 1) {
    const next = [at];
    for (let to = 1; to <= other.length; to += 1) {
      const replaced = (row[to - 1] ?? 0) + (one[at - 1] === other[to - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[to] ?? 0) + 1, (next[to - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[other.length] ?? 0;
}
