/// <reference lib="dom" />

/**
 * Collects a page as JSON for functions/proposals. Evaluated only where it is asked for, so it is a bundle of its own:
 * ../bundles/snapshot.ts, made by `npm run page-script`.
 */
import {
  CUT_AT,
  DEPTH_MAX,
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
import { SNAPSHOT } from "../../limits.ts";
import { declaredValues } from "./declared.ts";

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
