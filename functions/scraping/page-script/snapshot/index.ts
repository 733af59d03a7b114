/// <reference lib="dom" />

/**
 * Collects a page as JSON for functions/proposals. Evaluated only where it is asked for, so it is a bundle of its own:
 * ../bundles/snapshot.ts, made by `npm run page-script`.
 */
import {
  CUT_AT,
  DEPTH_MAX,
  type DeclaredValue,
  type FrameSnapshot,
  IN_SHADOW,
  JSON_CHARACTERS,
  type JsonText,
  OVERLAID,
  POINTER,
  SHOWN,
  type Snapshot,
  type SnapshotElement,
} from "../../../proposals/snapshot.ts";
import { DECLARED_MAX, SNAPSHOT } from "../../limits.ts";

/** Elements without anything to read. */
const SKIPPED = new Set(["script", "style", "noscript", "template", "link", "meta", "head"]);
/** Elements of which only the outside counts. */
const CLOSED = new Set(["svg", "iframe", "frame", "object", "video", "audio", "canvas", "math"]);
const FRAMES = new Set(["iframe", "frame"]);
/** What a person has typed stays private. `value` is kept where it is the name of a control. */
const NAMING_INPUTS = /^(?:button|submit|reset|image)$/;

/** A frame on the page, and where its document begins. */
export interface CollectedFrame {
  /** The index of its element. */
  owner: number;
  x: number;
  y: number;
  /** What is visible of it, in square pixels. */
  area: number;
}

/** A document as JSON, and what is needed of it without parsing the JSON. */
export interface Collected extends Pick<Snapshot, "url" | "width" | "height"> {
  snapshot: string;
  frames: CollectedFrame[];
}

/** The elements of the frames that were collected last, in the same order. */
let frameElements: Element[] = [];
export const frameElement = (index: number): Element | undefined => frameElements[index];

/**
 * @param responses JSON that the page has requested; absent: the snapshot has no JSON
 * @param frame where the document begins on the page; absent: it is the page
 */
export function collect(
  responses?: readonly JsonText[] | null,
  frame?: Pick<CollectedFrame, "owner" | "x" | "y">,
): Collected {
  const root = document.scrollingElement ?? document.documentElement;
  const collector = new Collector(frame?.x ?? scrollX, frame?.y ?? scrollY);
  collector.add(document.documentElement, -1, 0, 0);
  const nextLink = document.querySelector('link[rel~="next"]')?.getAttribute("href");
  const snapshot: Snapshot | FrameSnapshot = {
    base: document.baseURI.slice(0, CUT_AT.address),
    url: location.href.slice(0, CUT_AT.address),
    title: document.title.slice(0, CUT_AT.value),
    width: Math.max(root.scrollWidth, innerWidth),
    height: Math.max(root.scrollHeight, innerHeight),
    viewHeight: innerHeight,
    ...(nextLink && { nextLink: nextLink.slice(0, CUT_AT.address) }),
    omitted: collector.omitted,
    ...(responses && { ...jsonOf(responses), declared: declaredValues() }),
    ...(frame && { owner: frame.owner }),
    elements: collector.elements,
  };
  const { url, width, height } = snapshot;
  const frames = collector.frames.sort((one, other) => other.place.area - one.place.area);
  frameElements = frames.map(({ element }) => element);
  return {
    ...{ url, width, height, snapshot: JSON.stringify(snapshot) },
    frames: frames.map(({ place }) => place),
  };
}

/** A script that assigns something that may be JSON, and the name of what it assigns to. */
const ASSIGNS =
  /^\s*(?:window\.|self\.|globalThis\.|var |let |const )+\[?["']?([A-Za-z_$][\w$]*)["'\]]*\s*=\s*[[{]/;

/** How a scraper names a script that may hold JSON. */
function sourceOf({ id, type, text }: HTMLScriptElement): string | undefined {
  const name = ASSIGNS.exec(text)?.[1];
  if (!/json/i.test(type) && name === undefined) return undefined;
  if (/^[A-Za-z_][\w-]*$/.test(id)) return `script#${id}`;
  if (name === undefined && !/^[\w/+.-]+$/.test(type)) return undefined;
  return name === undefined ? `script[type="${type}"]` : `xpath=//script[contains(., '${name}')]`;
}

/** What may be JSON, as much as there is room for. */
function jsonOf(responses: readonly JsonText[]): Pick<Snapshot, "json"> {
  let left = JSON_CHARACTERS;
  const inScripts = [...document.scripts].flatMap((script) => {
    const source = script.src === "" ? sourceOf(script) : undefined;
    if (source === undefined) return [];
    const isLinkedData = script.type === "application/ld+json";
    return [{ source, text: script.text, ...(isLinkedData && { isLinkedData }) }];
  });
  const json = [...inScripts, ...responses].filter(({ text }) => {
    if (text.length > left) return false;
    left -= text.length;
    return true;
  });
  return json.length > 0 ? { json } : {};
}

class Collector {
  readonly elements: SnapshotElement[] = [];
  readonly frames: { element: Element; place: CollectedFrame }[] = [];
  omitted = 0;
  readonly #left: number;
  readonly #top: number;
  #characters = 0;

  constructor(left: number, top: number) {
    this.#left = left;
    this.#top = top;
  }

  add(element: Element, parent: number, flags: number, depth: number): void {
    const tag = element.localName;
    if (SKIPPED.has(tag)) return;
    const isFull = this.elements.length >= SNAPSHOT.elements || this.#characters >= SNAPSHOT.characters;
    if (isFull || depth > DEPTH_MAX) {
      this.omitted += 1 + element.getElementsByTagName("*").length;
      return;
    }
    const index = this.elements.length;
    const { left, top, width, height } = element.getBoundingClientRect();
    const attributes = attributesOf(element);
    for (const [name, value] of Object.entries(attributes ?? {}))
      this.#characters += name.length + value.length;
    const collected: SnapshotElement = {
      parent,
      tag,
      ...(attributes && { attributes }),
      box: [left + this.#left, top + this.#top, width, height].map(Math.round) as SnapshotElement["box"],
      flags: flags | flagsOf(element, width, height),
    };
    this.elements.push(collected);
    if (FRAMES.has(tag) && (collected.flags & SHOWN) !== 0)
      this.frames.push({ element, place: placeOf(element, index, collected.box) });
    if (CLOSED.has(tag)) return;
    const texts: [number, string][] = [];
    let children = 0;
    for (const root of element.shadowRoot ? [element.shadowRoot, element] : [element]) {
      for (const node of root.childNodes) {
        if (node instanceof Element) {
          if (SKIPPED.has(node.localName)) continue;
          this.add(node, index, root === element ? 0 : IN_SHADOW, depth + 1);
          children += 1;
        } else if (node.nodeType === Node.TEXT_NODE) {
          const text = (node.nodeValue ?? "").replace(/\s+/g, " ");
          if (text.trim() === "" || this.#characters >= SNAPSHOT.characters) continue;
          texts.push([children, text.slice(0, CUT_AT.text)]);
          this.#characters += Math.min(text.length, CUT_AT.text);
        }
      }
    }
    if (texts.length > 0) collected.texts = texts;
  }
}

function placeOf(
  element: Element,
  owner: number,
  [x, y, width, height]: SnapshotElement["box"],
): CollectedFrame {
  const { paddingLeft, paddingTop } = getComputedStyle(element);
  return {
    owner,
    x: x + element.clientLeft + Number.parseFloat(paddingLeft),
    y: y + element.clientTop + Number.parseFloat(paddingTop),
    area: width * height,
  };
}

function attributesOf(element: Element): Record<string, string> | undefined {
  const attributes: Record<string, string> = {};
  for (const { name, value } of [...element.attributes].slice(0, SNAPSHOT.attributes)) {
    if (name === "style" || name === "srcset" || name.startsWith("on")) {
      if (name === "onclick") attributes[name] = "";
      continue;
    }
    if (name === "value" && !isName(element)) continue;
    attributes[name.slice(0, CUT_AT.value)] = value.slice(
      0,
      /^(?:href|src|action)$/.test(name) ? CUT_AT.address : CUT_AT.value,
    );
  }
  return Object.keys(attributes).length > 0 ? attributes : undefined;
}

const isName = (element: Element) =>
  element instanceof HTMLInputElement
    ? NAMING_INPUTS.test(element.type)
    : !(element instanceof HTMLTextAreaElement);

function flagsOf(element: Element, width: number, height: number): number {
  const { position, cursor } = getComputedStyle(element);
  const isShown =
    element.checkVisibility({ visibilityProperty: true }) &&
    ((width > 0 && height > 0) || hasShownContent(element));
  const isOverlaid = position === "fixed" || position === "sticky" || element.matches(":modal,:popover-open");
  return (isShown ? SHOWN : 0) | (isOverlaid ? OVERLAID : 0) | (cursor === "pointer" ? POINTER : 0);
}

/**
 * An element without a size may still show what stands out of it. A picture may have none because pictures are not
 * loaded.
 */
function hasShownContent(element: Element): boolean {
  if (element.localName === "img" || getComputedStyle(element).display === "contents") return true;
  return [...element.children, ...(element.shadowRoot?.children ?? [])].some((child) => {
    const { width, height } = child.getBoundingClientRect();
    return (width > 0 && height > 0) || child.localName === "img";
  });
}

/* What a page states for others than its readers: meta elements, such as Open Graph, and microdata. */

/** Names and types that a selector can have between quotes. */
const NAME = /^[\w:.-]+$/;
const TYPE = /^[\w:/.#-]+$/;
/** The attribute that has the value of a property, by its element. */
const ADDRESS: Record<string, string> = {
  ...{ a: "href", area: "href", link: "href", object: "data" },
  ...{ audio: "src", embed: "src", iframe: "src", img: "src", source: "src", track: "src", video: "src" },
};

const declaredValues = (): DeclaredValue[] => [...metaValues(), ...microdata()];

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
      const { item, property } = scopeOf(element);
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
function scopeOf(element: Element): { item: Element | undefined; property: string } {
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
