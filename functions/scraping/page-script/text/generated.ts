/// <reference lib="dom" />

/** Text that style rules add before and after an element's own. */

/** The strings of a `content`, and the attributes that it takes. What follows a slash is for those who can't see. */
const PART = /"((?:[^"\\]|\\[\s\S])*)"|attr\(\s*([\w-]+)[^)]*\)|\/(?=\s)|[\w-]+\([^()]*\)|[^\s"]+/g;
/** Characters that fonts draw as icons. */
const ICONS = /[\ue000-\uf8ff\u{f0000}-\u{10fffd}]/gu;

/** What opens, closes or sorts something: a symbol on it shows its state. */
const STATEFUL = "summary,[aria-expanded],[aria-sort]";

const unescaped = (text: string): string =>
  text.replace(/\\(?:([0-9a-f]{1,6})\s?|([\s\S]))/gi, (_, code?: string, char?: string) =>
    code ? String.fromCodePoint(Number.parseInt(code, 16)) : (char ?? ""),
  );

/** What a value of `content` shows on an element, apart from images, counters and icons. */
function contentText(content: string, element: Element): string {
  let text = "";
  for (const [part, string, attribute] of content.matchAll(PART)) {
    if (part === "/") break;
    // The rest of a numbering says nothing without its number.
    if (/^counters?\(/.test(part)) return "";
    if (string !== undefined) text += unescaped(string);
    else if (attribute !== undefined) text += element.getAttribute(attribute) ?? "";
  }
  return text.replace(ICONS, "");
}

/** Whether a value of `content` may show any text. */
export const mayShowText = (content: string): boolean =>
  /(?:attr|var)\(/.test(content) || /\S/.test(contentText(content, document.documentElement));

/** What a style rule shows before or after the text of an element, and whether on a line of its own. */
export function generatedText(
  element: Element,
  pseudo: "::before" | "::after",
): { text: string; style: CSSStyleDeclaration } | undefined {
  const style = getComputedStyle(element, pseudo);
  const { content, display, visibility } = style;
  if (content === "none" || content === "normal" || display === "none" || visibility !== "visible")
    return undefined;
  const text = contentText(content, element);
  const isMark = !/[\p{L}\p{N}\p{Sc}%]/u.test(text) && element.closest(STATEFUL) !== null;
  return text === "" || isMark ? undefined : { text, style };
}
