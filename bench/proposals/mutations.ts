import { isGenerated, isState, isUtility } from "../../functions/proposals/selectors/stable.ts";
import type { Snapshot, SnapshotElement } from "../../functions/proposals/snapshot.ts";

/** What a site changes from one release to the next. Each returns the new page, and the new index of each old element. */
export type Mutation = (
  snapshot: Snapshot,
  targets: readonly number[],
) => { snapshot: Snapshot; indexes: number[] };

type Build = { element: SnapshotElement; old: number | undefined; children: Build[] };

function build({ elements }: Snapshot): Build[] {
  const nodes: Build[] = [];
  for (const [old, element] of elements.entries()) {
    const node = { element, old, children: [] };
    nodes.push(node);
    nodes[element.parent]?.children.push(node);
  }
  return nodes;
}

function flatten(snapshot: Snapshot, root: Build): ReturnType<Mutation> {
  const elements: SnapshotElement[] = [];
  const indexes: number[] = [];
  const visit = (node: Build, parent: number) => {
    const index = elements.length;
    if (node.old !== undefined) indexes[node.old] = index;
    elements.push({ ...node.element, parent });
    for (const child of node.children) visit(child, index);
  };
  visit(root, -1);
  return { snapshot: { ...snapshot, elements }, indexes };
}

const division = (like: SnapshotElement, children: Build[], text?: string): Build => ({
  element: { parent: -1, tag: "div", box: like.box, flags: like.flags, ...(text && { texts: [[0, text]] }) },
  old: undefined,
  children,
});

/** The elements around the targets, below the body. */
function* ancestors({ elements }: Snapshot, targets: readonly number[]): Generator<number> {
  const seen = new Set<number>();
  for (const target of targets)
    for (let at = elements[target]?.parent ?? -1; at > 0 && !seen.has(at); at = elements[at]?.parent ?? -1) {
      seen.add(at);
      if (elements[at]?.tag !== "body" && elements[at]?.tag !== "html") yield at;
      else if (elements[at]?.tag === "body") yield at;
    }
}

const TABLES = new Set(["table", "tbody", "thead", "tr", "ul", "ol", "dl"]);

/** Something new stands first in everything around the target: an advertisement, a notice. */
const notices: Mutation = (snapshot, targets) => {
  const nodes = build(snapshot);
  for (const index of ancestors(snapshot, targets)) {
    const node = nodes[index] as Build;
    if (!TABLES.has(node.element.tag))
      node.children.unshift(division(node.element, [], "Free delivery this week"));
  }
  return flatten(snapshot, nodes[0] as Build);
};

/** What stands around the target gets one more box around its content. */
const boxes: Mutation = (snapshot, targets) => {
  const nodes = build(snapshot);
  for (const index of ancestors(snapshot, targets)) {
    const node = nodes[index] as Build;
    if (!TABLES.has(node.element.tag)) node.children = [division(node.element, node.children)];
  }
  return flatten(snapshot, nodes[0] as Build);
};

/** The next build of the style sheets: other hashes, other utility classes, other states; other numbers in ids. */
const styles: Mutation = (snapshot) => {
  const nodes = build(snapshot);
  for (const node of nodes) {
    const { attributes } = node.element;
    if (!attributes) continue;
    const changed = { ...attributes };
    if (changed.class !== undefined)
      changed.class = changed.class
        .split(/\s+/)
        .flatMap((name) => (isGenerated(name) ? `${name}9x` : isUtility(name) || isState(name) ? [] : name))
        .join(" ");
    if (changed.id !== undefined && isGenerated(changed.id)) changed.id = `${changed.id}9`;
    node.element = { ...node.element, attributes: changed };
  }
  return flatten(snapshot, nodes[0] as Build);
};

/** The parts of the page around the target come in another order. */
const order: Mutation = (snapshot, targets) => {
  const nodes = build(snapshot);
  const around = [...ancestors(snapshot, targets)];
  for (const index of around) {
    const node = nodes[index] as Build;
    const isRows = node.children.filter(({ old }) => old !== undefined && targets.includes(old)).length > 1;
    if (!TABLES.has(node.element.tag) && !isRows) node.children.reverse();
  }
  return flatten(snapshot, nodes[0] as Build);
};

export const mutations: readonly Mutation[] = [notices, boxes, styles, order];
