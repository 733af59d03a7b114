/// <reference lib="dom" />
/**
 * Opens the closed shadow roots that the page's scripts attach, so that selectors and texts reach what they show. For the
 * page's own scripts, they stay closed. Proxies look like the browser's functions.
 */
const { Element, ShadowRoot } = window;

const closed = new WeakSet<ShadowRoot>();

/** @param read what the page's scripts get in place of a value that the browser gives for an object */
function replaceGetter<T extends object>(
  prototype: T,
  name: keyof T & string,
  read: (value: unknown, self: T) => unknown,
): void {
  const property = Object.getOwnPropertyDescriptor(prototype, name) as Required<PropertyDescriptor>;
  const get = new Proxy(property.get, {
    apply: (native, self: T) => read(Reflect.apply(native, self, []), self),
  });
  Object.defineProperty(prototype, name, { ...property, get });
}

Element.prototype.attachShadow = new Proxy(Element.prototype.attachShadow, {
  apply(native, element: Element, args: [ShadowRootInit?]) {
    const [options] = args;
    if (options?.mode !== "closed") return Reflect.apply(native, element, args);
    const root = Reflect.apply(native, element, [{ ...options, mode: "open" }]);
    closed.add(root);
    return root;
  },
});
replaceGetter(Element.prototype, "shadowRoot", (root) => (closed.has(root as ShadowRoot) ? null : root));
replaceGetter(ShadowRoot.prototype, "mode", (mode, root) => (closed.has(root) ? "closed" : mode));
