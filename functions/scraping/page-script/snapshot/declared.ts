/// <reference lib="dom" />
import { CUT_AT, type DeclaredValue } from "../../../proposals/snapshot.ts";
import { DECLARED_MAX } from "../../limits.ts";

/** What a page states for others than its readers: meta elements, such as Open Graph, and microdata. */

/** Names and types that a selector can have between quotes. */
const NAME = /^[\w:.-]+$/;
const TYPE = /^[\w:/.#-]+$/;
/** The attribute that has the value of a property, by its element. */
const ADDRESS: Record<string, string> = {
  ...{ a: "href", area: "href", link: "href", object: "data" },
  ...{ audio: "src", embed: "src", iframe: "src", img: "src", source: "src", track: "src", video: "src" },
};

export const declaredValues = (): DeclaredValue[] => [...metaValues(), ...microdata()];

const all = (selector: string, root: ParentNode = document): Element[] => [
  ...root.querySelectorAll(selector),
];

function metaValues(): DeclaredValue[] {
  const selectors = new Map<string, string>();
  for (const meta of all("meta[content]").slice(0, DECLARED_MAX))
    for (const by of ["property", "name"]) {
      const name = meta.getAttribute(by) ?? "";
      if (NAME.test(name) && !selectors.has(name)) selectors.set(name, `meta[${by}="${name}"]`);
    }
  return [...selectors].map(([meta, selector]) => valueAt({ meta, selector, attribute: "content" }));
}

function valueAt(place: Omit<DeclaredValue, "values" | "count">): DeclaredValue {
  const values = all(place.selector)
    .map((element) => readOf(element, place.attribute))
    .filter((value) => value !== "");
  return { ...place, values: [...new Set(values)].slice(0, 2), count: values.length };
}

function readOf(element: Element, attribute: string | undefined): string {
  if (attribute === undefined)
    return (element.textContent ?? "").replace(/\s+/g, " ").trim().slice(0, CUT_AT.text);
  const isAddress = ADDRESS[element.localName] === attribute;
  const value = isAddress ? (element as unknown as Record<string, unknown>)[attribute] : undefined;
  return String(value ?? element.getAttribute(attribute) ?? "").slice(0, CUT_AT.address);
}

/** The attribute with the value of a property; undefined: its text. */
function attributeOf(element: Element): string | undefined {
  const tag = element.localName;
  const [own] = [
    "content",
    ...(tag === "time" ? ["datetime"] : []),
    ...(/^(?:data|meter)$/.test(tag) ? ["value"] : []),
  ].filter((name) => element.hasAttribute(name));
  return own ?? ADDRESS[tag];
}

/** The properties of the items of which the page has one of its type. Of several, none is what the page is about. */
function microdata(): DeclaredValue[] {
  const items = all("[itemscope][itemtype]:not([itemprop])").slice(0, DECLARED_MAX);
  const single = new Map<Element, string>();
  for (const [type, [item, ...others]] of Map.groupBy(items, typeOf))
    if (item && others.length === 0 && TYPE.test(type)) single.set(item, type);
  const properties = all("[itemprop]:not([itemscope])")
    .slice(0, DECLARED_MAX)
    .flatMap((element) => {
      const { item, property } = placeOf(element);
      const type = item && single.get(item);
      return type === undefined || property === "" ? [] : [{ element, type, property }];
    });
  const same = Map.groupBy(properties, ({ type, property }) => `${type} ${property}`);
  return [...same.values()].flatMap((found) => valueOfProperty(found));
}

const typeOf = (item: Element) => (item.getAttribute("itemtype") ?? "").trim().split(/\s+/)[0] ?? "";

function valueOfProperty(found: { element: Element; type: string; property: string }[]): DeclaredValue[] {
  const elements = found.map(({ element }) => element);
  const attributes = new Set(elements.map(attributeOf));
  const [attribute] = attributes;
  const isText = attribute === undefined;
  if (attributes.size > 1 || (isText && !elements.every((element) => element.checkVisibility()))) return [];
  return found.slice(0, 1).flatMap(({ type, property }) => {
    const selector = selectorFor(type, property, elements);
    return selector === undefined
      ? []
      : [valueAt({ type, property, selector, ...(!isText && { attribute }) })];
  });
}

/** The item that has a property, and the path to it, such as "offers/price"; "" if a name can't be part of it. */
function placeOf(element: Element): { item: Element | undefined; property: string } {
  const names: string[] = [];
  let at: Element | null | undefined = element;
  while (at?.hasAttribute("itemprop")) {
    names.unshift((at.getAttribute("itemprop") ?? "").trim().split(/\s+/)[0] ?? "");
    at = at.parentElement?.closest("[itemscope]");
  }
  return { item: at ?? undefined, property: names.every((name) => NAME.test(name)) ? names.join("/") : "" };
}

/** The simplest selector that matches these elements only. */
function selectorFor(type: string, property: string, elements: readonly Element[]): string | undefined {
  const item = `[itemtype~="${type}"]`;
  const path = property.split("/").map((name) => `[itemprop~="${name}"]`);
  const below = [item, ...path].join(" ");
  const isRight = (selector: string) => {
    const found = all(selector);
    return found.length === elements.length && found.every((element, index) => element === elements[index]);
  };
  return [below, `${below}:not(${item} [itemscope] *)`].find(isRight);
}
