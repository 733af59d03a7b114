import { IN_SHADOW, OVERLAID, POINTER, SHOWN, type Snapshot, type SnapshotElement } from "./snapshot.ts";

const normalize = (text: string) => text.replace(/\s+/g, " ").trim();
/** Inline elements. Their text joins the text around them without a space. All other elements get a space. */
const INLINE = new Set(
  "a,b,i,em,strong,span,small,sup,sub,u,s,font,abbr,code,mark,bdi,bdo,q,cite".split(","),
);

/** An element of a snapshot, with links to its parent and its children. */
export class TreeNode {
  readonly index: number;
  readonly tag: string;
  readonly parent: TreeNode | undefined;
  readonly children: TreeNode[] = [];
  readonly classes: readonly string[];
  readonly box: SnapshotElement["box"];
  readonly #element: SnapshotElement;
  #text: string | undefined;

  constructor(index: number, element: SnapshotElement, parent: TreeNode | undefined) {
    this.index = index;
    this.tag = element.tag;
    this.parent = parent;
    this.box = element.box;
    this.#element = element;
    this.classes = [...new Set((element.attributes?.class ?? "").split(/\s+/).filter(Boolean))];
    parent?.children.push(this);
  }

  get attributes(): Readonly<Record<string, string>> {
    return this.#element.attributes ?? {};
  }

  attribute(name: string): string | undefined {
    return this.#element.attributes?.[name];
  }

  get isShown(): boolean {
    return (this.#element.flags & SHOWN) !== 0;
  }

  get isOverlaid(): boolean {
    return (this.#element.flags & OVERLAID) !== 0;
  }

  get hasPointer(): boolean {
    return (this.#element.flags & POINTER) !== 0;
  }

  get isInShadow(): boolean {
    return (this.#element.flags & IN_SHADOW) !== 0;
  }

  get area(): number {
    return Math.max(0, this.box[2]) * Math.max(0, this.box[3]);
  }

  /** The text directly inside the element, without the text of its children. White space is collapsed. */
  get ownText(): string {
    return normalize((this.#element.texts ?? []).map(([, text]) => text).join(" "));
  }

  /** The text of the element and of its shown descendants, in document order. White space is collapsed. */
  get text(): string {
    this.#text ??= normalize(this.#rawText());
    return this.#text;
  }

  /** In document order. */
  *descendants(): Generator<TreeNode> {
    for (const child of this.children) {
      yield child;
      yield* child.descendants();
    }
  }

  /** The element itself and its ancestors, from the inside out. */
  *selfAndAncestors(): Generator<TreeNode> {
    yield this;
    if (this.parent) yield* this.parent.selfAndAncestors();
  }

  /** Whether the other element is this one or one of its descendants. */
  contains(other: TreeNode): boolean {
    for (const at of other.selfAndAncestors()) if (at === this) return true;
    return false;
  }

  #rawText(): string {
    const texts = this.#element.texts ?? [];
    let [result, next] = ["", 0];
    for (let at = 0; at <= this.children.length; at += 1) {
      for (; next < texts.length && (texts[next] as [number, string])[0] <= at; next += 1)
        result += (texts[next] as [number, string])[1];
      const child = this.children[at];
      if (!child) continue;
      if (child.tag === "br") result += " ";
      if (!child.isShown && this.isShown) continue;
      const text = child.#rawText();
      if (text !== "") result += INLINE.has(child.tag) ? text : ` ${text} `;
    }
    return result;
  }
}

/** A snapshot as a tree. */
export interface Tree {
  snapshot: Snapshot;
  /** All elements, in document order. A node is at the position of its `index`. */
  nodes: readonly TreeNode[];
  root: TreeNode;
}

/** @throws Error if the snapshot has no elements */
export function treeOf(snapshot: Snapshot): Tree {
  const nodes: TreeNode[] = [];
  for (const [index, element] of snapshot.elements.entries())
    nodes.push(new TreeNode(index, element, nodes[element.parent]));
  const root = nodes[0];
  if (!root) throw new Error("A snapshot has at least a root element");
  return { snapshot, nodes, root };
}

/** The nearest element that contains all nodes. It is always an ancestor of the first node, never that node itself. */
export function commonAncestor(nodes: readonly TreeNode[]): TreeNode | undefined {
  const [first, ...others] = nodes;
  let ancestor = first?.parent;
  for (const other of others) while (ancestor && !ancestor.contains(other)) ancestor = ancestor.parent;
  return ancestor;
}

/** Resolves a URL against a base URL; undefined if it is missing or not valid. */
export const absolute = (address: string | undefined, base: string): URL | undefined =>
  (address !== undefined && URL.parse(address, base)) || undefined;
