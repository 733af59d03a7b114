import { isPressable } from "./controls/controls.ts";
import type { Tree } from "./tree.ts";

/** Parent in this list or -1, tag, x, y, width, height, text, flags, ref: the element's number on the page. */
export type MappedElement = [
  parent: number,
  tag: string,
  x: number,
  y: number,
  width: number,
  height: number,
  text: string,
  flags: number,
  ref: number,
];

/** Bits of the flags: it can be pressed; it takes input; it is positioned over the page. */
export const PRESSABLE = 1;
export const INPUT = 2;
export const OVER = 4;

const ELEMENTS_MAX = 4_000;
const TEXT_MAX = 80;

/** The shown elements of a page, for a picture of it that can be pointed at. */
export function elementMap({ nodes }: Tree): MappedElement[] {
  const known = new Map<number, number>();
  const mapped: MappedElement[] = [];
  for (const node of nodes) {
    if (mapped.length >= ELEMENTS_MAX) break;
    if (!node.isShown || node.tag === "html") continue;
    const parent = node.parent ? (known.get(node.parent.index) ?? -1) : -1;
    known.set(node.index, mapped.length);
    const isInput = node.tag === "input" || node.tag === "select" || node.tag === "textarea";
    const flags = (isPressable(node) ? PRESSABLE : 0) | (isInput ? INPUT : 0) | (node.isOverlaid ? OVER : 0);
    mapped.push([parent, node.tag, ...node.box, node.ownText.slice(0, TEXT_MAX), flags, node.index]);
  }
  return mapped;
}
