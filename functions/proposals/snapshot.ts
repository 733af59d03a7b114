/** What is collected from a page, once, and what all proposals are made from: plain JSON. */

/** Bits of `SnapshotElement.flags`. */
export const SHOWN = 1;
/** Positioned over the page: `fixed` or `sticky`, or in the top layer. */
export const OVERLAID = 2;
/** The pointer becomes a hand over it. */
export const POINTER = 4;
/** It is the first level of an open shadow root. */
export const IN_SHADOW = 8;

export interface SnapshotElement {
  /** Index of the parent element; -1 for the root. */
  parent: number;
  /** The local name, in lower case. */
  tag: string;
  /** Absent where there are none. Values are cut; styles, scripts and the typed values of inputs are left out. */
  attributes?: Record<string, string>;
  /** The texts directly inside, each with the number of child elements before it. Absent where there are none. */
  texts?: [number, string][];
  /** x, y, width and height on the page, in CSS pixels. */
  box: [number, number, number, number];
  flags: number;
}

export interface Snapshot {
  /** The address that relative addresses are resolved against. */
  base: string;
  url: string;
  title: string;
  /** Size of the whole page, and of its visible part, in CSS pixels. */
  width: number;
  height: number;
  viewHeight: number;
  /** `<link rel=next>` of the head, as it is written. */
  nextLink?: string;
  /** Elements that were left out, because the page has too many. */
  omitted: number;
  /** In document order: a parent before its children. */
  elements: SnapshotElement[];
}
