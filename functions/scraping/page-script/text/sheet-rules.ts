/// <reference lib="dom" />

/** The rules of style sheets, also of those of other sites, which the browser does not let scripts read. */

/** The texts of such style sheets, by their addresses, as far as the engine has told. */
const texts = new Map<string, string>();
/** What they would be if they could be read. */
const copies = new WeakMap<CSSStyleSheet, CSSStyleSheet>();

const isReadable = (sheet: CSSStyleSheet): boolean => {
  try {
    return sheet.cssRules !== null;
  } catch {
    return false;
  }
};

function copyOf(sheet: CSSStyleSheet): CSSStyleSheet | undefined {
  const known = copies.get(sheet);
  if (known) return known;
  const text = texts.get(sheet.href ?? "");
  // A style sheet that is made from text has none of its imports, whose name may be written with escapes.
  if (text === undefined || /@(import|[\w-]*\\)/i.test(text)) return undefined;
  const copy = new CSSStyleSheet();
  copy.replaceSync(text);
  copies.set(sheet, copy);
  return copy;
}

/** Undefined where they can't be read. */
export const rulesOf = (sheet: CSSStyleSheet): CSSRuleList | undefined =>
  (isReadable(sheet) ? sheet : copyOf(sheet))?.cssRules;

/** The addresses of the style sheets that can't be read. */
export const unreadSheets = (): string[] =>
  [...document.styleSheets].flatMap((sheet) => (rulesOf(sheet) ? [] : (sheet.href ?? [])));

/** Takes the texts of style sheets, by their addresses. */
export function learnSheets(found: Record<string, string>): void {
  for (const [url, text] of Object.entries(found)) texts.set(url, text);
}
