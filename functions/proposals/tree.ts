import { Effort } from "./effort.ts";
import {
  DEPTH_MAX,
  IN_SHADOW,
  OVERLAID,
  POINTER,
  SHOWN,
  type Snapshot,
  type SnapshotElement,
} from "./snapshot.ts";

const normalize = (text: string) => text.replace(/\s+/g, " ").trim();
/** Inline elements. Their text joins the text around them without a space. All other elements get a space. */
const INLINE = new Set(
  "a,b,i,em,strong,span,small,sup,sub,u,s,font,abbr,code,mark,bdi,bdo,q,cite".split(","),
);

/** What `TreeNode.text` is made of. White space is collapsed, also at both ends, where the text around may need it. */
interface Text {
  /** Without white space at its ends, cut to TEXT_MAX characters. */
  core: string;
  /** The length of the text before it was cut, in characters. */
  length: number;
  hasSpaceBefore: boolean;
  hasSpaceAfter: boolean;
}

const NO_TEXT: Text = { core: "", length: 0, hasSpaceBefore: false, hasSpaceAfter: false };
const A_SPACE: Text = { ...NO_TEXT, hasSpaceBefore: true };
/** Longer texts are cut. Otherwise, the texts of nested elements would take the square of the size of the page. */
const TEXT_MAX = 2_000;

/** Tags of which each element knows whether it has a descendant with them. */
export const HELD_TAGS = ["a", "img", "table", "time", "button", "input", "h2", "h3", "h4", "dl"] as const;
export type HeldTag = (typeof HELD_TAGS)[number];

/** The classes in a `class` attribute. */
interface Classes {
  names: readonly string[];
  set: ReadonlySet<string>;
}

function classesIn(attribute: string): Classes {
  const set = new Set(attribute.split(/\s+/).filter(Boolean));
  return { names: [...set], set };
}

const bitOf = (tag: string): number => {
  const at = (HELD_TAGS as readonly string[]).indexOf(tag);
  return at === -1 ? 0 : 1 << at;
};

/** What siblings are counted by. */
const kindOf = ({ tag, isInShadow }: TreeNode): string => (isInShadow ? `shadow ${tag}` : tag);

/** An element of a snapshot, with links to its parent and its children. */
export class TreeNode {
  readonly index: number;
  readonly tag: string;
  readonly parent: TreeNode | undefined;
  readonly children: TreeNode[] = [];
  /** Without duplicates. Elements with the same `class` attribute have the same array. */
  readonly classes: readonly string[];
  readonly box: SnapshotElement["box"];
  /** The position among the siblings with the same tag, from 1. Those in a shadow root are counted on their own. */
  readonly nth: number;
  /** The number of ancestors. */
  readonly depth: number;
  readonly #element: SnapshotElement;
  readonly #classes: Classes;
  /** All elements of the page, in document order. */
  readonly #all: readonly TreeNode[];
  readonly #tags = new Map<string, number>();
  /** The index after that of the last descendant. */
  #end: number;
  /** For each of HELD_TAGS, a bit: whether the element or a descendant has this tag. */
  #tagsInside: number;
  /** The same without the element. */
  #tagsBelow = 0;
  #text = NO_TEXT;
  #ownText: string | undefined;

  constructor(all: readonly TreeNode[], element: SnapshotElement, classes: Classes) {
    this.#all = all;
    this.index = all.length;
    this.#end = this.index + 1;
    this.tag = element.tag;
    this.#tagsInside = bitOf(element.tag);
    this.parent = all[element.parent];
    this.box = element.box;
    this.#element = element;
    this.#classes = classes;
    this.classes = classes.names;
    this.depth = this.parent ? this.parent.depth + 1 : 0;
    this.nth = (this.parent?.childrenLike(this) ?? 0) + 1;
    this.parent?.children.push(this);
    if (this.parent) this.parent.#tags.set(kindOf(this), this.nth);
  }

  get attributes(): Readonly<Record<string, string>> {
    return this.#element.attributes ?? {};
  }

  attribute(name: string): string | undefined {
    return this.#element.attributes?.[name];
  }

  /** Elements that are nested too deeply count as hidden, so that a climb to the root is short. */
  get isShown(): boolean {
    return (this.#element.flags & SHOWN) !== 0 && this.depth <= DEPTH_MAX;
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

  hasClass(name: string): boolean {
    return this.#classes.set.has(name);
  }

  /** The number of children with a tag, without those in a shadow root. */
  childrenWith(tag: string): number {
    return this.#tags.get(tag) ?? 0;
  }

  /** The number of children with the tag of an element, inside the shadow root or outside of it as that element is. */
  childrenLike(element: TreeNode): number {
    return this.#tags.get(kindOf(element)) ?? 0;
  }

  /** The text directly inside the element, without the text of its children. White space is collapsed. */
  get ownText(): string {
    this.#ownText ??= normalize((this.#element.texts ?? []).map(([, text]) => text).join(" "));
    return this.#ownText;
  }

  /**
   * The text of the element and of its shown descendants, in document order: the first 2,000 characters. White space is
   * collapsed.
   */
  get text(): string {
    return this.#text.core;
  }

  /** The length of the whole text, in characters. */
  get textLength(): number {
    return this.#text.length;
  }

  /** Whether the element is an image, or contains one. */
  get hasImage(): boolean {
    return (this.#tagsInside & bitOf("img")) !== 0;
  }

  /** Whether a descendant has this tag. */
  holds(tag: HeldTag): boolean {
    return (this.#tagsBelow & bitOf(tag)) !== 0;
  }

  /** The number of descendants. */
  get size(): number {
    return this.#end - this.index - 1;
  }

  /** The descendants in document order: the first `max` of them. */
  descendants(max = this.size): readonly TreeNode[] {
    return this.#all.slice(this.index + 1, Math.min(this.#end, this.index + 1 + max));
  }

  /** The element itself and its ancestors, from the inside out. */
  *selfAndAncestors(): Generator<TreeNode, undefined> {
    for (let at: TreeNode | undefined = this; at; at = at.parent) yield at;
  }

  /** Whether the other element is this one or one of its descendants. */
  contains(other: TreeNode): boolean {
    return this.index <= other.index && other.index < this.#end;
  }

  /** Reads the text of the element, and tells its parent its size. Its descendants must have been completed before. */
  complete(): void {
    if (this.parent) {
      this.parent.#end = Math.max(this.parent.#end, this.#end);
      this.parent.#tagsInside |= this.#tagsInside;
      this.parent.#tagsBelow |= this.#tagsInside;
    }
    const texts = this.#element.texts ?? [];
    const joined = { ...NO_TEXT };
    let next = 0;
    for (let at = 0; at <= this.children.length; at += 1) {
      for (let text = texts[next]; text && text[0] <= at; text = texts[next]) {
        append(joined, textFrom(text[1]));
        next += 1;
      }
      const child = this.children[at];
      if (!child) continue;
      if (child.tag === "br") append(joined, A_SPACE);
      if (!child.isShown && this.isShown) continue;
      if (INLINE.has(child.tag)) append(joined, child.#text);
      else if (child.#text.length > 0 || child.#text.hasSpaceBefore)
        append(joined, { ...child.#text, hasSpaceBefore: true, hasSpaceAfter: true });
    }
    this.#text = joined;
  }
}

function textFrom(raw: string): Text {
  const core = normalize(raw);
  if (core === "") return raw === "" ? NO_TEXT : A_SPACE;
  return { core, length: core.length, hasSpaceBefore: /^\s/.test(raw), hasSpaceAfter: /\s$/.test(raw) };
}

function append(text: Text, { core, length, hasSpaceBefore, hasSpaceAfter }: Text): void {
  if (length === 0) {
    if (text.length === 0) text.hasSpaceBefore ||= hasSpaceBefore;
    else text.hasSpaceAfter ||= hasSpaceBefore;
    return;
  }
  if (text.length === 0) {
    Object.assign(text, {
      core,
      length,
      hasSpaceBefore: text.hasSpaceBefore || hasSpaceBefore,
      hasSpaceAfter,
    });
    return;
  }
  const gap = text.hasSpaceAfter || hasSpaceBefore ? " " : "";
  if (text.core.length < TEXT_MAX) text.core = `${text.core}${gap}${core}`.slice(0, TEXT_MAX);
  text.length += gap.length + length;
  text.hasSpaceAfter = hasSpaceAfter;
}

/** A snapshot as a tree. */
export interface Tree {
  snapshot: Snapshot;
  /** All elements, in document order. A node is at the position of its `index`. */
  nodes: readonly TreeNode[];
  root: TreeNode;
  /** What the proposals of this page may still cost. */
  effort: Effort;
}

/** @throws Error if the snapshot has no elements */
export function treeOf(snapshot: Snapshot): Tree {
  const nodes: TreeNode[] = [];
  const known = new Map<string, Classes>();
  for (const element of snapshot.elements) {
    const attribute = element.attributes?.class ?? "";
    const classes = known.get(attribute) ?? classesIn(attribute);
    known.set(attribute, classes);
    nodes.push(new TreeNode(nodes, element, classes));
  }
  for (const node of nodes.toReversed()) node.complete();
  const root = nodes[0];
  if (!root) throw new Error("A snapshot has at least a root element");
  return { snapshot, nodes, root, effort: new Effort() };
}

/** The row that contains an element; undefined if there is none. `rows` are in document order, none within another. */
export function rowWith(rows: readonly TreeNode[], node: TreeNode): TreeNode | undefined {
  let [low, high] = [0, rows.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((rows[middle] as TreeNode).index <= node.index) low = middle + 1;
    else high = middle;
  }
  const row = rows[low - 1];
  return row?.contains(node) ? row : undefined;
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
