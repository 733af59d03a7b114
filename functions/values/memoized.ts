/** A function that remembers its results: formats of a locale take a millisecond to make. */
export function memoized<Result>(make: (key: string) => Result): (key: string) => Result {
  const known = new Map<string, Result>();
  return (key) => {
    const before = known.get(key);
    if (before !== undefined) return before;
    const result = make(key);
    known.set(key, result);
    return result;
  };
}
