import { isStable, isUtility } from "./stable.ts";
import type { TreeNode } from "./tree.ts";

/** Levels of descendants that the shape of an element includes. */
const DEPTH = 4;
/** Elements look alike from this similarity on. */
const ALIKE = 0.6;
/** The same for elements with the same classes. */
const ALIKE_BY_CLASS = 0.25;

/** How often each path of tags, such as "li/a/img", occurs in an element. */
type Shape = Map<string, number>;

const shapes = new WeakMap<TreeNode, Shape>();

function shapeOf(node: TreeNode): Shape {
  const known = shapes.get(node);
  if (known) return known;
  const shape: Shape = new Map();
  const visit = (at: TreeNode, path: string, depth: number) => {
    shape.set(path, (shape.get(path) ?? 0) + 1);
    if (depth >= DEPTH) return;
    for (const child of at.children) if (child.isShown) visit(child, `${path}/${child.tag}`, depth + 1);
  };
  visit(node, node.tag, 0);
  shapes.set(node, shape);
  return shape;
}

/**
 * How similar two shapes are, from 0 to 1. The square root makes repeated paths count less: one row of a list may have
 * two keywords, and the next one ten.
 */
function similarity(a: Shape, b: Shape): number {
  let [common, all] = [0, 0];
  for (const [path, count] of a) {
    const other = b.get(path) ?? 0;
    common += Math.sqrt(Math.min(count, other));
    all += Math.sqrt(Math.max(count, other));
  }
  for (const [path, count] of b) if (!a.has(path)) all += Math.sqrt(count);
  return common / all;
}

/** The classes of an element that are likely to say what it is, in alphabetical order; "" if there are none. */
export const classKey = (node: TreeNode): string =>
  node.classes
    .filter((name) => isStable(name) && !isUtility(name))
    .sort()
    .join(" ");

/** Whether two elements have the same tag and a similar structure, as the rows of a list do. */
export function isAlike(a: TreeNode, b: TreeNode): boolean {
  if (a.tag !== b.tag) return false;
  const likeness = similarity(shapeOf(a), shapeOf(b));
  if (likeness >= ALIKE) return true;
  return (
    likeness >= ALIKE_BY_CLASS && a.classes.length > 0 && classKey(a) === classKey(b) && classKey(a) !== ""
  );
}

/** Groups elements that look alike. The order of the elements stays the same within each group. */
export function cluster(nodes: readonly TreeNode[]): TreeNode[][] {
  const groups: TreeNode[][] = [];
  for (const node of nodes) {
    // The first member may be a header or an advertisement, so the element is compared with the last two members.
    const group = groups.find((members) => members.slice(-2).some((member) => isAlike(member, node)));
    if (group) group.push(node);
    else groups.push([node]);
  }
  return groups;
}
