/// <reference lib="dom" />

/** Tells whether a node is in one of the elements, or holds the first or last. The page as a whole has styles of its own. */
export function ownershipOf(elements: readonly Element[]): (target: Node) => boolean {
  const own = new WeakSet<Node>(elements);
  const ends = [elements[0], elements.at(-1)].filter((end) => end !== undefined);
  return (target) => {
    if (target === document.body || target === document.documentElement) return false;
    if (ends.some((end) => target.contains(end))) return true;
    for (let at: Node | null = target; at; at = at.parentNode) if (own.has(at)) return true;
    return false;
  };
}
