/// <reference lib="dom" />
type Method = (this: unknown, ...args: unknown[]) => unknown;
/** What is done around a call of a method of `self`. */
export type Around = (call: () => unknown, self: unknown, args: unknown[]) => unknown;

/** Wraps methods and setters, by proxies, which look like the browser's functions. What a browser or a page does not have is left out. */
export function wrap(target: object | undefined, names: readonly string[], around: Around): void {
  for (const name of names) {
    const property = target && Object.getOwnPropertyDescriptor(target, name);
    const method = (property?.value ?? property?.set) as Method | undefined;
    if (!target || !property || typeof method !== "function") continue;
    const value = new Proxy(method, {
      apply: (native, self, args) => around(() => Reflect.apply(native, self, args), self, args),
    });
    const replaced: PropertyDescriptor = property.set
      ? { ...property, set: value as (argument: unknown) => void }
      : { ...property, value };
    Object.defineProperty(target, name, replaced);
  }
}
