import { boxOf, type PageDocument, within } from "./documents.ts";
import { isPressable } from "./pagination/controls.ts";
import type { TreeNode } from "./tree.ts";

/**
 * One element of the map, as a tuple to keep the JSON small. `parent` is the index of the parent in the map, or -1. x,
 * y, width and height are in CSS pixels. `text` is the text directly inside, cut to 80 characters. `flags` is a sum
 * of PRESSABLE, INPUT and OVER. `ref` counts the elements of all documents.
 */
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

/** The element can be clicked, as `isPressable` tells. */
export const PRESSABLE = 1;
/** The element is an input, a dropdown or a text area. */
export const INPUT = 2;
/** The element is positioned over the page, as `OVERLAID` of the snapshot says. */
export const OVER = 4;

const ELEMENTS_MAX = 4_000;
const TEXT_MAX = 80;

/**
 * Lists the shown elements of a page and of its frames, in document order. With it, a client knows which element is at a
 * point of the page's screenshot. At most 4,000 elements are listed.
 */
export function elementMap(documents: readonly PageDocument[]): MappedElement[] {
  const known = new Map<TreeNode, number>();
  const mapped: MappedElement[] = [];
  for (const { tree, first, frame, edges } of documents)
    for (const node of tree.nodes) {
      if (mapped.length >= ELEMENTS_MAX) break;
      if (!node.isShown || node.tag === "html") continue;
      // What is scrolled out of a frame would lie over the page around it.
      const box = frame.length > 0 ? boxOf(within(edges, node.box)) : node.box;
      if (box === undefined) continue;
      const parent = node.parent ? (known.get(node.parent) ?? -1) : -1;
      known.set(node, mapped.length);
      const isInput = node.tag === "input" || node.tag === "select" || node.tag === "textarea";
      const flags =
        (isPressable(node) ? PRESSABLE : 0) | (isInput ? INPUT : 0) | (node.isOverlaid ? OVER : 0);
      const text = node.ownText.slice(0, TEXT_MAX);
      mapped.push([parent, node.tag, ...box, text, flags, node.index + first]);
    }
  return mapped;
}
