/** A text that belongs to an error. */
export interface HeldText {
  text: string;
  replace(text: string): void;
}

/** Every text that the log would contain for an error, its properties and its causes. */
export function textsOf(value: unknown): HeldText[] {
  const texts: HeldText[] = [];
  collect(value, texts, new Set());
  return texts;
}

function collect(value: unknown, texts: HeldText[], seen: Set<unknown>): void {
  if (!isError(value) && !Array.isArray(value) && !isPlain(value)) return;
  if (seen.has(value)) return;
  seen.add(value);
  for (const key of Object.getOwnPropertyNames(value)) {
    const held: unknown = Reflect.get(value, key);
    if (typeof held !== "string") collect(held, texts, seen);
    else texts.push({ text: held, replace: (text) => void Reflect.set(value, key, text) });
  }
}

const isError = (value: unknown): value is Error => value instanceof Error;
const isPlain = (value: unknown): value is object =>
  typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype;
