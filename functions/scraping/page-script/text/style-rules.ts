/// <reference lib="dom" />
import { isOwnSheet } from "../layout.ts";
import { mayShowText } from "./generated.ts";

/** Which rules of the page's style sheets may change what a text says, or whether it is visible. */

/** Elements that show plain text as it is, if no style says otherwise. */
export const PLAIN = new Set(
  (
    "a abbr address article aside b big blockquote body caption center cite code data dd del dfn div dl dt em " +
    "figcaption figure font footer form h1 h2 h3 h4 h5 h6 header hgroup html i kbd label li main mark nav ol p " +
    "s samp search section small span strike strong sub table tbody td tfoot th thead time tr tt u ul var"
  ).split(" "),
);

/** Elements that the browser's own style sheet, or their markup, may show in another way. */
export const MARKED_BY_NAME = "[hidden],[popover],[contenteditable],[inert]";
export const MARKED = `[style],${MARKED_BY_NAME}`;

const HARMLESS_DISPLAY =
  /^(block|inline|inline-block|flow-root|flex|inline-flex|grid|inline-grid|list-item|table|inline-table|table-(row|cell|caption|column|row-group|header-group|footer-group|column-group)|-webkit-(inline-)?(box|flex))$/;

/** Harmless values of the properties that can change what a text says; a rule with another value is suspect. */
const harmless: Record<string, RegExp> = {
  display: HARMLESS_DISPLAY,
  visibility: /^visible$/,
  "text-transform": /^none$/,
  "white-space-collapse": /^collapse$/,
  "content-visibility": /^visible$/,
  "-webkit-text-security": /^none$/,
  "text-combine-upright": /^none$/,
  content: /^(normal|none)$/,
  "unicode-bidi": /^(?!.*override)/,
  animation: /^none$/,
  "animation-name": /^none$/,
  all: /^(?!)/,
};
/** The same for properties that separate the text of inline elements inside the element that is read. */
const separating: Record<string, RegExp> = {
  display: /^inline$/,
  float: /^none$/,
  position: /^(static|relative|sticky)$/,
  "unicode-bidi": /^normal$/,
};

export type Suspects = ReturnType<typeof noSuspects>;

/** What the rules of one or all style sheets can do. */
const noSuspects = () => ({
  /** Selectors of rules that may change the text of what they match and of everything below. */
  own: [] as string[],
  /** Selectors of rules that matter inside an element with inline children: all in `own`, and more. */
  inside: [] as string[],
  /** Selectors of rules that may make a block inline. */
  inlined: [] as string[],
  /** Selectors of the rules in `own` that may hide what they match. */
  hiding: [] as string[],
  /** Selectors of rules by which what they match takes no clicks. */
  inert: [] as string[],
  /** Selectors of elements with text of a style rule before or after their own. */
  generated: [] as string[],
  /** Selectors of rules by which a text may not be what `innerText` says. */
  special: [] as string[],
  /** Whether part of the page is only laid out when it comes into view. */
  lazy: false,
});

const LISTS = ["own", "inside", "inlined", "hiding", "inert", "generated", "special"] as const;

/** Those of the properties that change a text and leave it visible. */
const VISIBLE = new Set([
  "text-transform",
  "white-space-collapse",
  "-webkit-text-security",
  "text-combine-upright",
  "content",
  "unicode-bidi",
]);

const PSEUDO = /::?(before|after|first-letter|first-line|marker|placeholder|selection|backdrop)\b/gi;

const MATTERS = new RegExp(
  `[{;\\n]\\s*(?:${[...Object.keys(harmless), ...Object.keys(separating), "white-space", "pointer-events", "clip", "clip-path"].join("|")}):|vertical-align:\\s*super|text-indent:\\s*-\\d\\d`,
);

/** What declarations can do to the text of an element, as `Suspects` has it. */
export type Effects = Record<Exclude<keyof Suspects, "generated">, boolean>;

/** Values by which a text is for screen readers alone, raised above the line, or written in the other direction. */
const SPECIAL: Record<string, RegExp> = {
  clip: /^rect/,
  "clip-path": /^inset/,
  width: /^[01]px$/,
  height: /^[01]px$/,
  left: /^-\d{3}/,
  top: /^-\d{3}/,
  "text-indent": /^-\d{3}|^-\d\d(?:\.\d+)?r?em$|\(/,
  "vertical-align": /^super$/,
  "unicode-bidi": /override/,
};

/** Other properties are most of a sheet, and quick to exclude. */
const RELEVANT = new Set([harmless, separating, SPECIAL, { "pointer-events": true }].flatMap(Object.keys));

export function effectsOf(style: CSSStyleDeclaration): Effects {
  const effects: Effects = {
    own: false,
    inside: false,
    inlined: false,
    hiding: false,
    inert: false,
    special: false,
    lazy: false,
  };
  for (let index = 0; index < style.length; index += 1) {
    const name = style[index] as string;
    if (!RELEVANT.has(name)) continue;
    const value = style.getPropertyValue(name);
    if (harmless[name] && !harmless[name].test(value)) {
      effects.own = true;
      effects.hiding ||= !VISIBLE.has(name);
    }
    if (name === "display") effects.inlined = value === "inline";
    if (name === "pointer-events") effects.inert = value === "none";
    if (name === "content-visibility" && value !== "visible" && value !== "hidden") effects.lazy = true;
    if (separating[name] && !separating[name].test(value)) effects.inside = true;
    if (SPECIAL[name]?.test(value)) {
      effects.special = true;
      // An indent moves the text of what it stands on, and of all blocks below, off the page.
      effects.own ||= name === "text-indent";
      effects.inside ||= name === "vertical-align";
    }
  }
  return effects;
}

/** Takes the effects of a rule. Its selector is only asked for if there are any, because that takes longer than all else. */
function judge(rule: CSSStyleRule, suspects: Suspects): void {
  const { own, inside, inlined, hiding, inert, special, lazy } = effectsOf(rule.style);
  suspects.lazy ||= lazy;
  if (!own && !inside && !inlined && !inert && !special) return;
  const { style, selectorText } = rule;
  if (inlined) suspects.inlined.push(selectorText);
  if (inert) suspects.inert.push(selectorText);
  const isPlain = selectorText.search(PSEUDO) < 0;
  if (special && isPlain) suspects.special.push(selectorText);
  if (!own && !inside) return;
  if (isPlain) {
    if (own) suspects.own.push(selectorText);
    if (hiding) suspects.hiding.push(selectorText);
    suspects.inside.push(selectorText);
    return;
  }
  const showsText = mayShowText(style.content);
  // The style of a first line is part of the text. Generated content is another part.
  for (const part of splitList(selectorText)) {
    const origin = part.replace(PSEUDO, "").replace(/(^|[\s>+~])$/, "$1*");
    const generated = /::?(before|after)\b/i.test(part);
    if (own && !generated) suspects.own.push(origin);
    if (hiding && !generated) suspects.hiding.push(origin);
    suspects.inside.push(origin);
    if (generated && showsText) suspects.generated.push(origin);
  }
}

/** The selectors of a selector list: split at commas outside of brackets and quotes. */
const splitList = (list: string): string[] =>
  list.match(/(?:[^,([\]"']|\((?:[^()]|\([^()]*\))*\)|\[[^\]]*\]|"[^"]*"|'[^']*')+/g) ?? [];

/** Whether rules are for paper alone. */
const isForPrint = ({ mediaText }: MediaList): boolean => /^(only )?print( and [^,]*)?$/.test(mediaText);

/**
 * @param groups gets the groups of rules, such as those of a media query
 * @returns false where a rule can't be read or judged
 */
function readRules(rules: CSSRuleList, suspects: Suspects, groups: CSSGroupingRule[]): boolean {
  for (let index = 0; index < rules.length; index += 1) {
    const rule = rules[index];
    if (rule instanceof CSSStyleRule) {
      if (rule.cssRules.length > 0) {
        if (MATTERS.test(rule.cssText)) return false;
      } else judge(rule, suspects);
    } else if (rule instanceof CSSImportRule) {
      if (rule.styleSheet && !readRules(rule.styleSheet.cssRules, suspects, groups)) return false;
    } else if (rule instanceof CSSGroupingRule) {
      groups.push(rule);
      if (rule instanceof CSSMediaRule && isForPrint(rule.media)) continue;
      if (rule.constructor.name === "CSSScopeRule") return false;
      if (!readRules(rule.cssRules, suspects, groups)) return false;
    }
  }
  return true;
}

interface KnownSheet {
  /** The number of rules, those in groups included. */
  count: number;
  groups: readonly CSSGroupingRule[];
  suspects: Suspects | undefined;
}

/** What sheets were found to do, valid as long as they have the same number of rules. */
const known = new WeakMap<CSSStyleSheet, KnownSheet>();

const countIn = (rules: CSSRuleList, groups: readonly CSSGroupingRule[]): number =>
  groups.reduce((count, group) => count + group.cssRules.length, rules.length);

/** The number of rules of a sheet, with those in groups if the sheet was read before. @throws if it can't be read */
export const countRules = (sheet: CSSStyleSheet): number =>
  countIn(sheet.cssRules, known.get(sheet)?.groups ?? []);

function readSheet(sheet: CSSStyleSheet): Suspects | undefined {
  try {
    const rules = rulesOf(sheet);
    if (!rules) return undefined;
    const before = known.get(sheet);
    if (before?.count === countIn(rules, before?.groups ?? [])) return before.suspects;
    const groups: CSSGroupingRule[] = [];
    const read = noSuspects();
    const suspects = readRules(rules, read, groups) ? read : undefined;
    known.set(sheet, { count: countIn(rules, groups), groups, suspects });
    return suspects;
  } catch {
    // An imported style sheet of another origin can't be read.
    return undefined;
  }
}

/** What all style sheets of the page can do; undefined where one of them can't be read or judged. */
export function readSheets(): Suspects | undefined {
  const total = noSuspects();
  for (const sheet of [...document.styleSheets, ...document.adoptedStyleSheets]) {
    if (isOwnSheet(sheet) || sheet.disabled || isForPrint(sheet.media)) continue;
    const suspects = readSheet(sheet);
    if (!suspects) return undefined;
    for (const list of LISTS) total[list].push(...suspects[list]);
    total.lazy ||= suspects.lazy;
  }
  return total;
}

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
const rulesOf = (sheet: CSSStyleSheet): CSSRuleList | undefined =>
  (isReadable(sheet) ? sheet : copyOf(sheet))?.cssRules;

/** The addresses of the style sheets that can't be read. */
export const unreadSheets = (): string[] =>
  [...document.styleSheets].flatMap((sheet) => (rulesOf(sheet) ? [] : (sheet.href ?? [])));

/** Takes the texts of style sheets, by their addresses. */
export function learnSheets(found: Record<string, string>): void {
  for (const [url, text] of Object.entries(found)) texts.set(url, text);
}
