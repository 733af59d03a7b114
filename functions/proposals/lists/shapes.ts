import { isStable, isUtility } from "../selectors/stable.ts";
import type { TreeNode } from "../tree.ts";

/** Levels of descendants that the shape of an element includes. */
const DEPTH = 4;
/** Elements look alike from this similarity on. */
const ALIKE = 0.6;
/** The same for elements with the same classes. */
const ALIKE_BY_CLASS = 0.25;

/** The most groups that an element is compared with: those that got a member last. */
const GROUPS_MAX = 40;

interface Shape {
  /** For each path of tags, such as "li/a/img", the square root of how often it occurs in an element. */
  paths: Map<string, number>;
  /** The sum of `paths`. */
  sum: number;
}

const shapes = new WeakMap<TreeNode, Shape>();
/** By the array of an element's classes, which elements with the same classes share. */
const classKeys = new WeakMap<readonly string[], string>();

function shapeOf(node: TreeNode): Shape {
  const known = shapes.get(node);
  if (known) return known;
  const counts = new Map<string, number>();
  const visit = (at: TreeNode, path: string, depth: number) => {
    counts.set(path, (counts.get(path) ?? 0) + 1);
    if (depth >= DEPTH) return;
    for (const child of at.children) if (child.isShown) visit(child, `${path}/${child.tag}`, depth + 1);
  };
  visit(node, node.tag, 0);
  // The square root makes repeated paths count less: one row of a list may have two keywords, and the next one ten.
  const paths = new Map([...counts].map(([path, count]) => [path, Math.sqrt(count)]));
  const shape = { paths, sum: [...paths.values()].reduce((sum, count) => sum + count, 0) };
  shapes.set(node, shape);
  return shape;
}

/** How similar two shapes are, from 0 to 1. */
function similarity(a: Shape, b: Shape): number {
  const [smaller, larger] = a.paths.size < b.paths.size ? [a, b] : [b, a];
  let common = 0;
  for (const [path, count] of smaller.paths) common += Math.min(count, larger.paths.get(path) ?? 0);
  return common / (a.sum + b.sum - common);
}

/** The classes of an element that are likely to say what it is, in alphabetical order; "" if there are none. */
export function classKey(node: TreeNode): string {
  const key =
    classKeys.get(node.classes) ??
    node.classes
      .filter((name) => isStable(name) && !isUtility(name))
      .sort()
      .join(" ");
  classKeys.set(node.classes, key);
  return key;
}

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
  // In the order in which they got their last member.
  const recent: TreeNode[][] = [];
  for (const node of nodes) {
    // The first member may be a header or an advertisement, so the element is compared with the last two members.
    const isMember = (members: readonly TreeNode[]) =>
      members.slice(-2).some((member) => isAlike(member, node));
    const group = groups.length <= GROUPS_MAX ? groups.find(isMember) : recent.findLast(isMember);
    if (group) {
      group.push(node);
      recent.splice(recent.indexOf(group), 1);
      recent.push(group);
      continue;
    }
    const begun = [node];
    groups.push(begun);
    recent.push(begun);
    if (recent.length > GROUPS_MAX) recent.shift();
  }
  return groups;
}
