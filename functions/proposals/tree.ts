import { IN_SHADOW, OVERLAID, POINTER, SHOWN, type Snapshot, type SnapshotElement } from "./snapshot.ts";

const normalize = (text: string) => text.replace(/\s+/g, " ").trim();
/** Between the texts of these elements stands no space. */
const INLINE = new Set(
  "a,b,i,em,strong,span,small,sup,sub,u,s,font,abbr,code,mark,bdi,bdo,q,cite".split(","),
);

/** An element of a collected page. */
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

  /** The text directly inside. */
  get ownText(): string {
    return normalize((this.#element.texts ?? []).map(([, text]) => text).join(" "));
  }

  /** All text inside, in document order. */
  get text(): string {
    this.#text ??= normalize(this.#rawText());
    return this.#text;
  }

  *descendants(): Generator<TreeNode> {
    for (const child of this.children) {
      yield child;
      yield* child.descendants();
    }
  }

  /** The element itself and its ancestors, the nearest first. */
  *around(): Generator<TreeNode> {
    yield this;
    if (this.parent) yield* this.parent.around();
  }

  contains(other: TreeNode): boolean {
    for (const at of other.around()) if (at === this) return true;
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

/** A collected page as a tree. */
export interface Tree {
  snapshot: Snapshot;
  /** In document order. */
  nodes: readonly TreeNode[];
  root: TreeNode;
}

export function treeOf(snapshot: Snapshot): Tree {
  const nodes: TreeNode[] = [];
  for (const [index, element] of snapshot.elements.entries())
    nodes.push(new TreeNode(index, element, nodes[element.parent]));
  const root = nodes[0];
  if (!root) throw new Error("A snapshot has at least a root element");
  return { snapshot, nodes, root };
}

/** The nearest element that contains all of them. */
export function commonAncestor(nodes: readonly TreeNode[]): TreeNode | undefined {
  const [first, ...others] = nodes;
  let ancestor = first?.parent;
  for (const other of others) while (ancestor && !ancestor.contains(other)) ancestor = ancestor.parent;
  return ancestor;
}

/** An absolute address; undefined where a text is none. */
export const absolute = (address: string | undefined, base: string): URL | undefined =>
  (address !== undefined && URL.parse(address, base)) || undefined;
