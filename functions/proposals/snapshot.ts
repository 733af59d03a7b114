/**
 * A snapshot of a page, as plain JSON. functions/scraping/page-script/snapshot collects it once, inside the page. All
 * proposals are made from it.
 */

// The bits of `SnapshotElement.flags`.

/** The element is visible. */
export const SHOWN = 1;
/** The element is positioned over the page: it is `fixed` or `sticky`, a modal dialog or an open popover. */
export const OVERLAID = 2;
/** The mouse pointer becomes a hand over the element: its CSS `cursor` is `pointer`. */
export const POINTER = 4;
/** The element is a child of an open shadow root. Its `parent` is the host of that root. */
export const IN_SHADOW = 8;

/** The most ancestors of an element. What is nested more deeply is left out. */
export const DEPTH_MAX = 250;

/** An element of the page, with the texts directly inside. */
export interface SnapshotElement {
  /** Index of the parent element in `Snapshot.elements`; -1 for the root. */
  parent: number;
  /** The local name: for HTML elements, the tag name in lower case. */
  tag: string;
  /**
   * The attributes; absent if there are none. Long values are cut. `style`, `srcset`, and the `value` of inputs other
   * than buttons are left out. Of the event handlers, only `onclick` is kept, with an empty value.
   */
  attributes?: Record<string, string>;
  /** The text nodes directly inside, each with the number of child elements before it; absent if there are none. */
  texts?: [number, string][];
  /** x, y, width and height in CSS pixels. x and y count from the top left corner of the page. */
  box: [number, number, number, number];
  /** A sum of SHOWN, OVERLAID, POINTER and IN_SHADOW. */
  flags: number;
}

/** Lengths at which texts of a snapshot are cut: the title and attributes, texts, and addresses. */
export const CUT_AT = { value: 500, text: 1_000, address: 2_000 };

/** JSON that the page carries: where it is, as the `source` of a list, and its text. */
export interface JsonText {
  source: string;
  text: string;
  /** Whether it is JSON-LD, which describes the page for search engines. */
  isLinkedData?: true;
}

/** A value that a page states for others than its readers, in elements that a selector finds. */
export interface DeclaredValue {
  /** The name of a meta element. */
  meta?: string;
  /** Of microdata: the type of an item, and the path to one of its properties, such as "offers/price". */
  type?: string;
  property?: string;
  selector: string;
  /** Absent: the text. */
  attribute?: string;
  /** At most two different ones, of all `count` elements with a value that the selector matches. */
  values: string[];
  count: number;
}

/** The most characters of JSON in a snapshot. */
export const JSON_CHARACTERS = 2_000_000;

/** A page, or the document that a frame shows, at one moment. */
export interface Snapshot {
  /** The base URL, against which relative URLs are resolved. */
  base: string;
  url: string;
  title: string;
  /** Width and height of the whole page, in CSS pixels. */
  width: number;
  height: number;
  /** Height of the viewport, in CSS pixels. */
  viewHeight: number;
  /** The `href` of the first `<link rel="next">`, not resolved. */
  nextLink?: string;
  /** The number of elements that were left out because the page has too many. */
  omitted: number;
  /** The texts that may be JSON, as many as there is room for; absent if there are none. */
  json?: JsonText[];
  /** What the page states in meta elements and in microdata; absent if it was not asked for, or if there is nothing. */
  declared?: DeclaredValue[];
  /** In document order: each parent comes before its children. */
  elements: SnapshotElement[];
  /** The documents that its frames show, the largest frames first; absent if there are none. */
  frames?: FrameSnapshot[];
}

/** The document that a frame shows. Positions count from the top left corner of the page around it, too. */
export interface FrameSnapshot extends Snapshot {
  /** The index of the frame's element in the document around it. */
  owner: number;
}
