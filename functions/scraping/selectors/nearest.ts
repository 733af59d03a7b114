/** The most similar of `names`, best first; only names that have something in common with `wanted`. */
export function nearest(wanted: string, names: readonly string[], count: number): string[] {
  const target = simplify(wanted);
  const scored = [...new Set(names)].map((name) => ({ name, score: likeness(target, simplify(name)) }));
  return scored
    .filter(({ score }) => score > 0.2)
    .sort((a, b) => b.score - a.score)
    .slice(0, count)
    .map(({ name }) => name);
}

/** A page may name things at any length; a person uses short names. */
const simplify = (text: string) => text.slice(0, 200).toLowerCase().replace(/\s+/g, " ").trim();

/** The share of letter pairs that two texts have in common (Dice's coefficient), from 0 to 1. */
function likeness(a: string, b: string): number {
  if (a === b) return 1;
  const pairsOf = (text: string) =>
    Array.from({ length: Math.max(0, text.length - 1) }, (_, at) => text.slice(at, at + 2));
  const left = pairsOf(a);
  const right = pairsOf(b);
  if (left.length + right.length === 0) return 0;
  let common = 0;
  for (const pair of left) {
    const at = right.indexOf(pair);
    if (at < 0) continue;
    right.splice(at, 1);
    common += 1;
  }
  return (2 * common) / (left.length + common + right.length);
}
