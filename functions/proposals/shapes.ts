import { isStable, isUtility } from "./stable.ts";
import type { TreeNode } from "./tree.ts";

/** How deep the shape of an element goes. */
const DEPTH = 4;
const ALIKE = 0.6;
/** The same for elements with equal classes. */
const ALIKE_BY_CLASS = 0.25;

/** The paths of tags below an element, each with how often it is there. */
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

/** How much two shapes have in common, from 0 to 1. Repeated parts count less: rows may have any number of tags. */
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

/** The classes of an element that are likely to tell what it is. */
export const classKey = (node: TreeNode): string =>
  node.classes
    .filter((name) => isStable(name) && !isUtility(name))
    .sort()
    .join(" ");

export function isAlike(a: TreeNode, b: TreeNode): boolean {
  if (a.tag !== b.tag) return false;
  const likeness = similarity(shapeOf(a), shapeOf(b));
  if (likeness >= ALIKE) return true;
  return (
    likeness >= ALIKE_BY_CLASS && a.classes.length > 0 && classKey(a) === classKey(b) && classKey(a) !== ""
  );
}

/** Groups of elements that look alike, in document order within each. */
export function cluster(nodes: readonly TreeNode[]): TreeNode[][] {
  const groups: TreeNode[][] = [];
  for (const node of nodes) {
    // The first may be a header or an advertisement: any of the last few members can vouch for it.
    const group = groups.find((members) => members.slice(-2).some((member) => isAlike(member, node)));
    if (group) group.push(node);
    else groups.push([node]);
  }
  return groups;
}
