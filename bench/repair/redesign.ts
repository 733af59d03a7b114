import type { Snapshot, SnapshotElement } from "../../functions/proposals/snapshot.ts";
import type { Mutation } from "../proposals/mutations.ts";

/** Attributes that a redesign leaves as they are: what people and browsers see, and addresses. */
const KEPT = /^(?:href|src|data-src|data-original|data-lazy-src|alt|title|content|datetime|type|rel|value)$/;

const CONSONANTS = "bdfgklmnprstv";
const VOWELS = "aeiou";

/** A made-up word for each number. */
function word(number: number): string {
  let rest = number + 100;
  let text = "";
  while (rest > 0) {
    text += (CONSONANTS[rest % 13] as string) + (VOWELS[Math.floor(rest / 13) % 5] as string);
    rest = Math.floor(rest / 65);
  }
  return text;
}

/** The page with other names for all classes, ids and further attributes, so that no selector finds what it found by them. */
function renamed(snapshot: Snapshot): Snapshot {
  const names = new Map<string, string>();
  const renamedWord = (name: string) => {
    const known = names.get(name) ?? word(names.size);
    names.set(name, known);
    return known;
  };
  const changed = (attributes: Record<string, string>) =>
    Object.fromEntries(
      Object.entries(attributes).map(([name, value]) => {
        if (name === "class") return [name, value.split(/\s+/).filter(Boolean).map(renamedWord).join(" ")];
        if (KEPT.test(name) || name.startsWith("aria-") || name === "role") return [name, value];
        return [name, renamedWord(value)];
      }),
    );
  const elements = snapshot.elements.map(
    ({ attributes, ...element }): SnapshotElement =>
      attributes ? { ...element, attributes: changed(attributes) } : element,
  );
  return { ...snapshot, elements };
}

/** A redesign: other names, and one more change of the structure. */
export const redesign =
  (mutate: Mutation): Mutation =>
  (snapshot, targets) =>
    mutate(renamed(snapshot), targets);
