/// <reference lib="dom" />
import { jsonValue } from "../json/reader.ts";
import { type FieldRequest, FOREIGN_FRAME, PAGE_SCRIPT } from "../protocol.ts";
import { fullText, ownText } from "../text/rendered-text.ts";
import type { TextReader } from "../text/text.ts";
import { controlText, createTextReader, isControl } from "../text/text.ts";
import { collapseLine } from "../text/text-by-rules.ts";
import { nodesOf } from "./field-nodes.ts";

/** The value of what a field stands for. */

const URL_ATTRIBUTES = new Set(
  "href src action formaction poster cite data background longdesc xlink:href".split(" "),
);
/** What stands between several values. */
const SEPARATOR = "; ";
/** Properties of form controls that have the state which the attribute of that name only begins with. */
const STATES = /^(?:checked|selected)$/;

/** The value of an attribute that holds an address, as an absolute one; undefined for other attributes. */
export function resolved(value: string, attribute: string, base: string): string | undefined {
  if (/(^|-|image)srcset$/.test(attribute)) return largestOf(value, base);
  return URL_ATTRIBUTES.has(attribute) ? (URL.parse(value, base)?.href ?? value) : undefined;
}

/** An attribute as it is written. In SVG, the name of `href` once was another one. */
export function writtenIn(element: Element, attribute: string, base: string): string | null {
  const value = element.getAttribute(attribute);
  if (value === null)
    return attribute === "href" && element instanceof SVGElement ? element.getAttribute("xlink:href") : null;
  return attribute === "src" && value.startsWith("data:") ? (pictured(element, base) ?? value) : value;
}

/** The address of an image of which only the sources of its picture have one. */
function pictured(image: Element, base: string): string | undefined {
  const sources = image.parentElement?.querySelectorAll("picture > source[srcset]") ?? [];
  const written = [...sources].map((source) => source.getAttribute("srcset") ?? "");
  const found = written.find((srcset) => srcset !== "" && !srcset.trim().startsWith("data:"));
  return found === undefined ? undefined : largestOf(found, base);
}

/** The address of the largest image in the value of a `srcset`. */
function largestOf(value: string, base: string): string {
  const images = [...value.matchAll(/\s*([^\s,]\S*[^\s,])(?:\s+([\d.]+)[wx])?\s*(?:,|$)/g)];
  const sizeOf = ([, , size = "1"]: RegExpExecArray) => Number(size);
  const [first] = images;
  if (!first) return value;
  const largest = images.reduce((best, image) => (sizeOf(image) > sizeOf(best) ? image : best), first);
  return URL.parse(largest[1] as string, base)?.href ?? (largest[1] as string);
}

/** The address of an element's background image: the last of several lies below the others. */
function backgroundOf(element: Element): string | null {
  const { backgroundImage } = getComputedStyle(element);
  const address = [...backgroundImage.matchAll(/url\("((?:[^"\\]|\\.)*)"\)/g)].at(-1)?.[1];
  return address === undefined ? null : address.replace(/\\(.)/g, "$1");
}

function attributeOf(element: Element, attribute: string): string | null {
  if (attribute === "background-image") return element.getAttribute(attribute) ?? backgroundOf(element);
  if (attribute === "value" && isControl(element)) return element.value;
  if (STATES.test(attribute) && attribute in element)
    return (element as Element & Record<string, unknown>)[attribute] === true ? "true" : null;
  const value = writtenIn(element, attribute, element.baseURI);
  if (value === null) return value;
  if (attribute === "href" && element instanceof HTMLAnchorElement) return element.href;
  return resolved(value, attribute, element.baseURI) ?? value;
}

// Marks for selectors that only Playwright can evaluate are not the page's.
const htmlOf = (element: Element): string =>
  element.innerHTML.replace(/ data-gleaner-mark(?:-\w+)?="[^"]*"/g, "");

const readers = {
  full_text: (element: Element) => (isControl(element) ? (controlText(element) ?? "") : fullText(element)),
  own_text: ownText,
  value: (element: Element) =>
    isControl(element) || element instanceof HTMLOptionElement
      ? (controlText(element) ?? null)
      : "value" in element
        ? String(element.value)
        : element.getAttribute("value"),
  html: htmlOf,
};

/** What a field reads of its element: a text, `html`, or an attribute. */
export function kindOf({ text, attribute }: FieldRequest): keyof typeof readers | "text" | "attribute" {
  if (text !== undefined) return text;
  return attribute === "html" || attribute === "text" || attribute === undefined
    ? (attribute ?? "text")
    : "attribute";
}

/** Whether a field reads a text of this document, of whichever kind. */
export const readsText = (field: FieldRequest): boolean => !field.frame && /text$/.test(kindOf(field));

/** The value of a field, as an absolute address if the field asks for that. Other texts stay as they are. */
export const addressed = (value: string | null, { absolute }: FieldRequest, base: string): string | null =>
  absolute && value !== null && /^\S+$/.test(value) ? (URL.parse(value, base)?.href ?? value) : value;

export function readValue(node: Node, field: FieldRequest, textOf: TextReader): string | null {
  const value = jsonValue(node);
  return value === undefined
    ? addressed(plainValue(node, field, textOf), field, node.baseURI)
    : addressed(value, field, document.baseURI);
}

function plainValue(node: Node, field: FieldRequest, textOf: TextReader): string | null {
  if (node instanceof Attr) return resolved(node.value, node.name, node.baseURI) ?? node.value;
  if (!(node instanceof Element)) return (collapseLine(node.nodeValue ?? "") ?? node.nodeValue ?? "").trim();
  const kind = kindOf(field);
  if (kind === "text") return textOf(node);
  return kind === "attribute" ? attributeOf(node, field.attribute as string) : readers[kind](node);
}

/** Reads the value of a node for a field. */
export type ValueReader = (node: Node, field: FieldRequest) => string | null;

/** The values of rows within a row, as JSON. */
function nestedValue(rows: readonly Node[], fields: readonly FieldRequest[], read: ValueReader): string {
  const elements = rows.filter((node) => node instanceof Element);
  return JSON.stringify(
    elements.map((element) => fields.map((field) => fieldValue(nodesOf(element, field), field, read))),
  );
}

type Framed = { [PAGE_SCRIPT]?: { readField: typeof readField } };

/** The page script of a frame. @throws Error for a frame of another origin */
function scriptIn({ contentWindow }: Partial<HTMLIFrameElement>) {
  try {
    return (contentWindow as Framed | undefined)?.[PAGE_SCRIPT];
  } catch {
    throw new Error(FOREIGN_FRAME);
  }
}

/** The value of a field in a frame, as the frame's own page script reads it; null where there is none. */
function framedValue(element: Node, field: FieldRequest): string | null {
  const [, ...frame] = [field.frame ?? []].flat();
  const script = scriptIn(element as Partial<HTMLIFrameElement>);
  return script?.readField({ ...field, frame: frame.length > 0 ? frame : undefined }) ?? null;
}

/** The value of a field of this document, which a frame of the page shows. */
export function readField(field: FieldRequest): string | null {
  const textOf = createTextReader();
  const found = nodesOf(document.documentElement, { ...field, column: undefined, rows: undefined });
  return fieldValue(found, field, (node, field) => readValue(node, field, textOf));
}

/** Whether nothing but comments stands between two texts. */
function isContinued(text: Text, next: Text): boolean {
  let at = text.nextSibling;
  while (at instanceof Comment) at = at.nextSibling;
  return at === next;
}

/** The nodes, with texts as one that only comments separate: scripts mark their parts of a text so. */
function wholeTexts(found: readonly Node[]): readonly Node[] {
  const whole: Node[] = [];
  let last: Node | undefined;
  for (const node of found) {
    if (last instanceof Text && node instanceof Text && isContinued(last, node))
      whole.push(document.createTextNode(`${whole.pop()?.nodeValue}${node.data}`));
    else whole.push(node);
    last = node;
  }
  return whole;
}

/** The value of all nodes that a field stands for, or of the first one; null if it has none. */
export function fieldValue(found: readonly Node[], field: FieldRequest, read: ValueReader): string | null {
  const { all, separator = SEPARATOR, list, frame } = field;
  const [first] = found;
  if (!first) return null;
  if (frame) return framedValue(first, field);
  if (list) return nestedValue(found, list.fields, read);
  const whole = wholeTexts(found);
  const values = all ? whole.flatMap((node) => read(node, field) || []) : [];
  return values.length > 0 ? values.join(separator) : read(whole[0] ?? first, field);
}
