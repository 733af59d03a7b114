import { isMain, partFactor } from "./lists/lists.ts";
import { SelectorChooser } from "./selectors/choose-selector.ts";
import type { Snapshot } from "./snapshot.ts";
import { type Tree, type TreeNode, treeOf } from "./tree.ts";

/** The page's own document, or one that a frame shows. */
export interface PageDocument {
  tree: Tree;
  /** The selectors of the frames around it, from the outermost on; empty for the page's own document. */
  frame: string[];
  /** The ref of its first element. The others follow in document order. */
  first: number;
  /** How likely the document has the main content of the page, from 0 to 1. */
  share: number;
  /** Whether all frames around it are outside of the navigation, headers, footers, sidebars and dialogs. */
  isMain: boolean;
  /** What is visible of it: left, top, right and bottom edge on the page, in CSS pixels. */
  edges: Edges;
}

type Edges = [left: number, top: number, right: number, bottom: number];

/** A frame that covers this share of the viewport has the content of the page. */
export const FRAME_SHARE = 0.5;

/** The documents of a page that steps can reach, each before those of its frames. */
export function documentsOf(snapshot: Snapshot): PageDocument[] {
  const { width, height, viewHeight } = snapshot;
  const documents: PageDocument[] = [];
  let first = 0;
  const add = (shown: Snapshot, around: Pick<PageDocument, "frame" | "share" | "isMain" | "edges">) => {
    const tree = treeOf(shown);
    documents.push({ ...around, tree, first });
    first += shown.elements.length;
    const { frames = [] } = shown;
    const chooser = frames.length > 0 ? new SelectorChooser(tree.nodes, tree.effort) : undefined;
    for (const frame of frames) {
      const owner = tree.nodes[frame.owner] as TreeNode;
      const selector = chooser?.choose([owner])?.css;
      if (selector === undefined) continue;
      const edges = within(around.edges, owner.box);
      const share = Math.min(1, areaOf(edges) / (width * viewHeight * FRAME_SHARE));
      add(frame, {
        frame: [...around.frame, selector],
        share: Math.min(around.share, share * partFactor(owner)),
        isMain: around.isMain && isMain([owner]),
        edges,
      });
    }
  };
  add(snapshot, { frame: [], share: 1, isMain: true, edges: [0, 0, width, height] });
  return documents;
}

/** The part of a box that is inside of some edges. */
export const within = ([left, top, right, bottom]: Edges, [x, y, width, height]: TreeNode["box"]): Edges => [
  Math.max(left, x),
  Math.max(top, y),
  Math.min(right, x + width),
  Math.min(bottom, y + height),
];

/** The box between edges; undefined if there is nothing between them. */
export const boxOf = ([left, top, right, bottom]: Edges): TreeNode["box"] | undefined =>
  right > left && bottom > top ? [left, top, right - left, bottom - top] : undefined;

const areaOf = ([left, top, right, bottom]: Edges) => Math.max(0, right - left) * Math.max(0, bottom - top);
