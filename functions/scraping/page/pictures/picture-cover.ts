import type { CDPSession } from "playwright-core";
import { PICTURE } from "../../limits.ts";

/** Finds the texts that a picture must not show. Returns their indexes. */
export type FindTexts = (texts: readonly string[]) => Promise<readonly number[]>;

/** A snapshot of what the browser paints: all frames of the page's process, with shadow trees and generated texts. */
type Painted = Awaited<ReturnType<typeof capture>>;
type Document = Painted["documents"][number];

/** The properties of painted nodes whose values may name images. */
const IMAGE_STYLES = [
  "background-image",
  "border-image-source",
  "list-style-image",
  "mask-image",
  "-webkit-mask-box-image-source",
  "filter",
  "backdrop-filter",
  "clip-path",
];
/** The properties that are read for each painted node. */
const STYLES = ["opacity", "content", ...IMAGE_STYLES];
/** What names an image or a drawing. Gradients have no text. */
const IMAGE = /url\(|image-set\(|cross-fade\(|paint\(|element\(/;
/** Elements that show something other than text, or texts that are not in the snapshot. */
const REPLACED = new Set(["IMG", "SVG", "CANVAS", "VIDEO", "OBJECT", "EMBED"]);
const FRAMES = new Set(["IFRAME", "FRAME", "FENCEDFRAME"]);
/** Elements whose text is in a tree of the browser's own, which is not in the snapshot. */
const CONTROLS = new Set(["INPUT", "TEXTAREA", "SELECT", "METER", "PROGRESS"]);
const ELEMENT = 1;

/**
 * What happens to an element. A style attribute has precedence over the rules of style sheets, and descendants can't
 * undo an opacity.
 */
const COVER = {
  /** Each character becomes a dot, in the place that the text has. */
  dots: `function () { this.style.setProperty("-webkit-text-security", "disc", "important"); }`,
  whole: `function () { this.style.setProperty("opacity", "0", "important"); }`,
  images: `function () {
    for (const name of ${JSON.stringify(IMAGE_STYLES)}) this.style.setProperty(name, "none", "important");
  }`,
  /** All generated content of the element's tree, because no style attribute reaches it. */
  generated: `function () {
    const root = this.getRootNode();
    const sheet = new this.ownerDocument.defaultView.CSSStyleSheet();
    sheet.replaceSync("*::before, *::after, *::marker { opacity: 0 !important; content: '' !important }");
    root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheet];
  }`,
};

/** Something that must be covered, and how. `node` is a backend node id. */
interface Uncovered {
  node: number;
  how: keyof typeof COVER;
}

/**
 * Covers texts of a page, and everything else that could show them: images, drawings, and frames of other processes.
 * What the browser paints is read again afterwards, so that only a page that is covered is pictured.
 */
export class PictureCover {
  readonly #cdp: CDPSession;
  readonly #find: FindTexts;

  constructor(cdp: CDPSession, find: FindTexts) {
    this.#cdp = cdp;
    this.#find = find;
  }

  /** Covers what must not be shown. Returns whether that was possible. */
  async cover(): Promise<boolean> {
    for (let round = 0; round < PICTURE.rounds; round += 1) {
      for (const uncovered of await this.#uncovered(await capture(this.#cdp))) await this.#cover(uncovered);
    }
    return this.isCovered();
  }

  /** Whether the page shows nothing that must be covered, also not in pieces. */
  async isCovered(): Promise<boolean> {
    const painted = await capture(this.#cdp);
    if ((await this.#uncovered(painted)).length > 0) return false;
    return (await this.#find(joinedTexts(painted))).length === 0;
  }

  async #uncovered(painted: Painted): Promise<Uncovered[]> {
    const texts = [...textsOf(painted), ...controlsOf(painted)];
    const found = await this.#find(texts.map(({ text }) => text));
    return [...found.flatMap((index) => texts[index] ?? []), ...imagesOf(painted)];
  }

  async #cover({ node, how }: Uncovered): Promise<void> {
    const { object } = await this.#cdp.send("DOM.resolveNode", { backendNodeId: node });
    const { objectId } = object;
    if (objectId === undefined) return;
    await this.#cdp.send("Runtime.callFunctionOn", { objectId, functionDeclaration: COVER[how] });
    await this.#cdp.send("Runtime.releaseObject", { objectId });
  }
}

const capture = (cdp: CDPSession) => cdp.send("DOMSnapshot.captureSnapshot", { computedStyles: STYLES });

/** What is painted, node by node, with the name of each node and its values of STYLES. */
function* paintedNodes({ documents, strings }: Painted) {
  for (const document of documents) {
    const { nodeIndex, styles, text } = document.layout;
    for (const [index, node] of nodeIndex.entries()) {
      yield {
        document,
        node,
        name: nameOf(strings, document, node),
        text: strings[text[index] ?? -1] ?? "",
        style: (styles[index] ?? []).map((at) => strings[at] ?? ""),
      };
    }
  }
}

const nameOf = (strings: readonly string[], { nodes }: Document, node: number) =>
  (strings[nodes.nodeName?.[node] ?? -1] ?? "").toUpperCase();

/** The texts that are painted, as they are shown: dots if they are covered. */
function* textsOf(painted: Painted): Generator<Uncovered & { text: string }> {
  for (const { document, node, text } of paintedNodes(painted))
    if (text.trim() !== "") yield { node: elementOf(document, node), how: "dots", text };
}

/** The controls that are shown, with all texts that they may show. The browser itself covers passwords. */
function* controlsOf(painted: Painted): Generator<Uncovered & { text: string }> {
  for (const { document, node, name, style } of paintedNodes(painted)) {
    if (!CONTROLS.has(name) || style[0] === "0") continue;
    const texts = Object.values(controlTexts(painted, document, node, name));
    yield { node: elementOf(document, node), how: "whole", text: texts.join("\n") };
  }
}

/** The texts that a control may show, by where they come from. */
function controlTexts({ strings }: Painted, document: Document, node: number, name: string) {
  const { inputValue, textValue } = document.nodes;
  const attributes = attributesOf(strings, document, node);
  const isPassword = name === "INPUT" && attributes.get("type")?.toLowerCase() === "password";
  if (isPassword) attributes.delete("value");
  const valueIn = (values: typeof inputValue) =>
    strings[values?.value[values.index.indexOf(node)] ?? -1] ?? "";
  return {
    typed: isPassword ? "" : valueIn(inputValue) + valueIn(textValue),
    placeholder: attributes.get("placeholder") ?? "",
    attributes: [...attributes.values()].join("\n"),
    options: name === "SELECT" ? textsInside(strings, document, node).join("\n") : "",
  };
}

/** All texts as one, which shows a secret that stands in pieces side by side; once with each kind of texts of controls. */
function joinedTexts(painted: Painted): string[] {
  const joined: Record<keyof ReturnType<typeof controlTexts>, string> = {
    typed: "",
    placeholder: "",
    attributes: "",
    options: "",
  };
  const kinds = Object.keys(joined) as (keyof typeof joined)[];
  for (const { document, node, name, style, text } of paintedNodes(painted)) {
    const isControl = CONTROLS.has(name) && style[0] !== "0";
    const texts = isControl ? controlTexts(painted, document, node, name) : undefined;
    for (const kind of kinds) joined[kind] += texts?.[kind] ?? text;
  }
  return Object.values(joined);
}

function attributesOf(strings: readonly string[], { nodes }: Document, node: number): Map<string, string> {
  const flat = (nodes.attributes?.[node] ?? []).map((at) => strings[at] ?? "");
  const names = flat.filter((_, at) => at % 2 === 0);
  return new Map(names.map((name, at) => [name.toLowerCase(), flat[2 * at + 1] ?? ""]));
}

/** The texts of the descendants of a node. */
function textsInside(strings: readonly string[], { nodes }: Document, node: number): string[] {
  const parents = nodes.parentIndex ?? [];
  const inside = new Set([node]);
  const texts: string[] = [];
  // Descendants come after their ancestors.
  for (let at = node + 1; at < parents.length && inside.has(parents[at] ?? -1); at += 1) {
    inside.add(at);
    texts.push(strings[nodes.nodeValue?.[at] ?? -1] ?? "");
    texts.push(...(nodes.attributes?.[at] ?? []).map((index) => strings[index] ?? ""));
  }
  return texts;
}

/** The images and drawings that are painted, and the frames whose content is not in the snapshot. */
function* imagesOf(painted: Painted): Generator<Uncovered> {
  for (const { document, node, name, style } of paintedNodes(painted)) {
    const [opacity, content = "", ...images] = style;
    if (opacity === "0") continue;
    const { nodes } = document;
    const isFrame = FRAMES.has(name) && nodes.contentDocumentIndex?.index.includes(node) !== true;
    const isImage = REPLACED.has(name) || isFrame || isImageInput(painted.strings, document, node, name);
    const isGenerated = nodes.pseudoType?.index.includes(node) === true;
    const hasImage = images.some((value) => IMAGE.test(value));
    const element = elementOf(document, node);
    if (isGenerated && (hasImage || IMAGE.test(content))) yield { node: element, how: "generated" };
    else if (isImage || IMAGE.test(content)) yield { node: element, how: "whole" };
    else if (hasImage) yield { node: element, how: "images" };
  }
}

const isImageInput = (strings: readonly string[], document: Document, node: number, name: string): boolean =>
  name === "INPUT" && attributesOf(strings, document, node).get("type")?.toLowerCase() === "image";

/** The backend id of the element whose style decides how a node is painted. Generated content has that of its element. */
function elementOf({ nodes }: Document, node: number): number {
  let at = node;
  while (at >= 0 && (nodes.nodeType?.[at] !== ELEMENT || nodes.pseudoType?.index.includes(at)))
    at = nodes.parentIndex?.[at] ?? -1;
  return nodes.backendNodeId?.[at] ?? 0;
}
