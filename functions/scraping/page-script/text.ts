/// <reference lib="dom" />
import type { Agent } from "./agent.ts";

/**
 * Text as `innerText` gives it, without the layout that `innerText` needs where that is provably the same.
 *
 * Three ways, each exact, each dearer than the one before:
 * 1. No style rule that could change the text matches the element or anything around it: its characters, with
 *    white space collapsed.
 * 2. The computed styles of the element and of what is around it say the same.
 * 3. `innerText` itself, which lays out the page.
 */
export function installText(agent: Agent): void {
  /** Elements that show plain text as it is, if no style says otherwise. */
  const PLAIN = new Set(
    (
      "a abbr address article aside b big blockquote body caption center cite code data dd del dfn div dl dt em " +
      "figcaption figure font footer form h1 h2 h3 h4 h5 h6 header hgroup html i ins kbd label li main mark nav ol p " +
      "s samp search section small span strike strong sub sup table tbody td tfoot th thead time tr tt u ul var"
    ).split(" "),
  );
  const INLINE = new Set(
    (
      "a abbr b big cite code data del dfn em font i ins kbd label mark s samp small span strike strong sub sup " +
      "time tt u var"
    ).split(" "),
  );
  /** What the browser's own style sheet treats otherwise, or what says so in the markup. */
  const MARKED = "[style],[hidden],[popover],[contenteditable],[inert]";
  const HARMLESS_DISPLAY =
    /^(block|inline|inline-block|flow-root|flex|inline-flex|grid|inline-grid|list-item|table|inline-table|table-(row|cell|caption|column|row-group|header-group|footer-group|column-group)|-webkit-(inline-)?(box|flex))$/;

  /** Values of the properties that can change what a text says; anything else that a rule sets is suspect. */
  const harmless: Record<string, RegExp> = {
    display: HARMLESS_DISPLAY,
    visibility: /^visible$/,
    "text-transform": /^none$/,
    "white-space-collapse": /^collapse$/,
    "content-visibility": /^visible$/,
    "-webkit-text-security": /^none$/,
    "text-combine-upright": /^none$/,
    content: /^(normal|none)$/,
    animation: /^none$/,
    "animation-name": /^none$/,
    all: /^(?!)/,
  };
  /** Properties that also part the text of inline elements inside of the element that is read. */
  const parting: Record<string, RegExp> = {
    display: /^inline$/,
    float: /^none$/,
    position: /^(static|relative|sticky)$/,
    "unicode-bidi": /^normal$/,
  };

  /** So many elements are read by their styles. */
  const FEW = 12;
  /** Set once the page has been drawn, so that what is only decided then is decided. */
  let isDrawn = false;

  interface Suspects {
    /** Selectors of rules that may change the text of what they match and of all below. */
    own: string[];
    /** Selectors of rules that matter inside of an element with inline children. */
    inside: string[];
    /** Whether some of the page is only laid out when it comes into view. */
    lazy: boolean;
    /** Whether some of the page takes no clicks. */
    inert: boolean;
  }
  const PSEUDO = /::?(before|after|first-letter|first-line|marker|placeholder|selection|backdrop)\b/gi;

  const MATTERS = new RegExp(
    `[{;\\n]\\s*(?:${[...Object.keys(harmless), ...Object.keys(parting), "white-space", "pointer-events"].join("|")}):`,
  );

  /** Whether a rule sets any of these. Asked by name, because a rule's text takes three times as long to be made. */
  const setsSome = (style: CSSStyleDeclaration & { webkitTextSecurity?: string }): boolean =>
    (style.display ||
      style.position ||
      style.cssFloat ||
      style.visibility ||
      style.content ||
      style.pointerEvents ||
      style.textTransform ||
      style.whiteSpace ||
      style.whiteSpaceCollapse ||
      style.contentVisibility ||
      style.unicodeBidi ||
      style.animation ||
      style.animationName ||
      style.all ||
      style.webkitTextSecurity ||
      style.textCombineUpright) !== "";

  const judge = (rule: CSSStyleRule, suspects: Suspects): void => {
    const { style, selectorText } = rule;
    let own = false;
    let inside = false;
    for (let index = 0; index < style.length; index += 1) {
      const name = style[index] as string;
      const value = harmless[name] || parting[name] ? style.getPropertyValue(name) : "";
      if (harmless[name] && !harmless[name].test(value)) own = true;
      if (name === "pointer-events" && style.getPropertyValue(name) === "none") suspects.inert = true;
      if (name === "content-visibility" && value !== "visible" && value !== "hidden") suspects.lazy = true;
      if (parting[name] && !parting[name].test(value)) inside = true;
    }
    if (!own && !inside) return;
    PSEUDO.lastIndex = 0;
    if (!PSEUDO.test(selectorText)) {
      if (own) suspects.own.push(selectorText);
      suspects.inside.push(selectorText);
      return;
    }
    // Generated content is no part of the text, but stands between its parts; a first line's style is part of it.
    for (const part of splitList(selectorText)) {
      const origin = part.replace(PSEUDO, "").replace(/(^|[\s>+~])$/, "$1*");
      const generated = /::?(before|after)\b/i.test(part);
      if (own && !generated) suspects.own.push(origin);
      suspects.inside.push(origin);
    }
  };

  /** A selector list's selectors: split at commas outside of brackets and quotes. */
  const splitList = (list: string): string[] =>
    list.match(/(?:[^,([\]"']|\((?:[^()]|\([^()]*\))*\)|\[[^\]]*\]|"[^"]*"|'[^']*')+/g) ?? [];

  /** @returns false when a rule can't be read or judged */
  const readRules = (rules: CSSRuleList, suspects: Suspects): boolean => {
    for (let index = 0; index < rules.length; index += 1) {
      const rule = rules[index];
      if (rule instanceof CSSStyleRule) {
        if (rule.cssRules.length > 0) {
          if (MATTERS.test(rule.cssText)) return false;
        } else if (setsSome(rule.style)) judge(rule, suspects);
      } else if (rule instanceof CSSImportRule) {
        if (rule.styleSheet && !readRules(rule.styleSheet.cssRules, suspects)) return false;
      } else if (rule instanceof CSSGroupingRule) {
        if (rule.constructor.name === "CSSScopeRule") return false;
        if (!readRules(rule.cssRules, suspects)) return false;
      }
    }
    return true;
  };

  /** What was read of a sheet, for as long as it has as many rules. */
  const known = new WeakMap<CSSStyleSheet, { rules: number; suspects: Suspects | undefined }>();

  const readSheet = (sheet: CSSStyleSheet): Suspects | undefined => {
    try {
      const rules = sheet.cssRules;
      const before = known.get(sheet);
      if (before?.rules === rules.length) return before.suspects;
      const suspects: Suspects = { own: [], inside: [], lazy: false, inert: false };
      const readable = readRules(rules, suspects);
      known.set(sheet, { rules: rules.length, suspects: readable ? suspects : undefined });
      return readable ? suspects : undefined;
    } catch {
      // A style sheet of another origin can't be read.
      return undefined;
    }
  };

  const readSheets = (): Suspects | undefined => {
    const all: Suspects = { own: [], inside: [], lazy: false, inert: false };
    for (const sheet of [...document.styleSheets, ...document.adoptedStyleSheets]) {
      if (sheet === agent.holdSheet || sheet.disabled) continue;
      const suspects = readSheet(sheet);
      if (!suspects) return undefined;
      all.own.push(...suspects.own);
      all.inside.push(...suspects.inside);
      all.lazy ||= suspects.lazy;
      all.inert ||= suspects.inert;
    }
    return all;
  };

  interface Judgement {
    own: Pick<Set<Element>, "has">;
    inside: Pick<Set<Element>, "has">;
  }

  /** Elements that are looked at for each that is read: what is around it and inside of it. */
  const LOOKED_AT = 6;

  /** Which elements suspicious rules match; undefined when asking each element for its style is cheaper or safer. */
  const judgeDocument = (suspects: Suspects | undefined, cells: number): Judgement | undefined => {
    if (!suspects) return undefined;
    const elements = document.getElementsByTagName("*").length;
    const isMost = cells * LOOKED_AT > elements;
    const asked = isMost ? elements : cells * LOOKED_AT;
    const selectors = suspects.own.length + suspects.inside.length;
    if (selectors * asked * 15 > elements * 1500 + cells * 4000) return undefined;
    const matching = (selectors: string[]): Pick<Set<Element>, "has"> => {
      const list = [MARKED, ...selectors].join(",");
      if (isMost) return new Set(document.querySelectorAll(list));
      document.documentElement.matches(list);
      return { has: (element) => element.matches(list) };
    };
    try {
      return { own: matching(suspects.own), inside: matching(suspects.inside) };
    } catch {
      // A selector can't be read on its own.
      return undefined;
    }
  };

  /** Text that shows as it is written. */
  const SIMPLE =
    /^[!-~\xa1-\xac\xae-\u02ff\u0370-\u052f\u2010-\u2027\u2030-\u205e\u20a0-\u20cf]+(?: [!-~\xa1-\xac\xae-\u02ff\u0370-\u052f\u2010-\u2027\u2030-\u205e\u20a0-\u20cf]+)*$/;

  /** Collapsed white space as a line of text shows it; undefined where that takes more than this. */
  const collapse = (text: string): string | undefined => {
    if (SIMPLE.test(text)) return text;
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what layout treats in ways of its own
    if (/[\0-\x08\x0b-\x1f\x7f\xad\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufffc]/.test(text))
      return undefined;
    // A line break between characters of East Asian scripts leaves no space.
    if (/\n/.test(text) && /[\u1100-\u1fff\u2e80-\uffff]/.test(text)) return undefined;
    return /[\t\n]| {2}/.test(text) ? text.replace(/[ \t\n]+/g, " ").trim() : text.trim();
  };

  agent.textReader = (cells) => {
    // To ask a few elements for their styles is cheaper than to read all rules.
    const judgement = cells > FEW ? judgeDocument(readSheets(), cells) : undefined;
    const needsDrawing = () =>
      !isDrawn && ((readSheets()?.lazy ?? true) || document.querySelector("object") !== null);
    const plain = new Map<Node, boolean>();

    /** Whether nothing at or above an element makes its text other than it is written. */
    const isPlain = (node: Node | null, judged: Judgement): boolean => {
      if (node === document) return true;
      if (!(node instanceof Element)) return false;
      const known = plain.get(node);
      if (known !== undefined) return known;
      const answer =
        PLAIN.has(node.localName) &&
        !judged.own.has(node) &&
        node.shadowRoot === null &&
        isPlain(node.parentNode, judged);
      plain.set(node, answer);
      return answer;
    };

    /** Way 1. */
    const byRules = (element: Element, judged: Judgement): string | undefined => {
      if (!PLAIN.has(element.localName) || judged.own.has(element) || !isPlain(element.parentNode, judged))
        return undefined;
      const child = element.firstChild;
      if (child === null) return element.shadowRoot ? undefined : "";
      if (child.nextSibling === null && child.nodeType === 3 && element.shadowRoot === null)
        return collapse((child as Text).data);
      // Inline children of a flex or grid container are blocks.
      if (judged.inside.has(element)) return undefined;
      return inlineText(
        element,
        (inner) => INLINE.has(inner.localName) && !judged.own.has(inner) && !judged.inside.has(inner),
      );
    };

    /** The text of an element that has nothing but text and inline elements inside of it. */
    const inlineText = (element: Element, isInline: (inner: Element) => boolean): string | undefined => {
      if (element.shadowRoot) return undefined;
      let text = "";
      const walk = (node: Node): boolean => {
        for (let child = node.firstChild; child; child = child.nextSibling) {
          if (child.nodeType === 3) text += (child as Text).data;
          else if (child.nodeType === 1) {
            if ((child as Element).shadowRoot || !isInline(child as Element) || !walk(child)) return false;
          }
        }
        return true;
      };
      return walk(element) ? collapse(text) : undefined;
    };

    const heldBody = agent.layoutIsHeld() ? document.body : null;
    const shown = new Map<Node, boolean>();
    const isPlainStyle = (style: CSSStyleDeclaration, element: Element): boolean =>
      style.visibility === "visible" &&
      style.textTransform === "none" &&
      style.getPropertyValue("white-space-collapse") === "collapse" &&
      style.getPropertyValue("-webkit-text-security") === "none" &&
      style.getPropertyValue("text-combine-upright") === "none" &&
      (element === heldBody || style.getPropertyValue("content-visibility") === "visible") &&
      getComputedStyle(element, "::first-letter").textTransform === "none" &&
      getComputedStyle(element, "::first-line").textTransform === "none";

    /** Whether an element around the one that is read is shown, and leaves its text alone. */
    const isShown = (node: Node | null): boolean => {
      if (node === document) return true;
      if (!(node instanceof Element)) return false;
      const known = shown.get(node);
      if (known !== undefined) return known;
      let answer = false;
      if (PLAIN.has(node.localName) && node.shadowRoot === null && isShown(node.parentNode)) {
        const style = getComputedStyle(node);
        answer =
          (node === heldBody || style.getPropertyValue("content-visibility") === "visible") &&
          (style.display === "contents" || HARMLESS_DISPLAY.test(style.display)) &&
          getComputedStyle(node, "::first-letter").textTransform === style.textTransform &&
          getComputedStyle(node, "::first-line").textTransform === style.textTransform;
      }
      shown.set(node, answer);
      return answer;
    };

    /** Way 2. */
    const byStyles = (element: Element): string | undefined => {
      if (!PLAIN.has(element.localName) || !isShown(element.parentNode)) return undefined;
      const style = getComputedStyle(element);
      if (!HARMLESS_DISPLAY.test(style.display) || !isPlainStyle(style, element)) return undefined;
      if (style.content !== "normal") return undefined;
      const isInline = (inner: Element) => {
        const innerStyle = getComputedStyle(inner);
        return (
          INLINE.has(inner.localName) &&
          innerStyle.display === "inline" &&
          innerStyle.content === "normal" &&
          innerStyle.unicodeBidi === "normal" &&
          isPlainStyle(innerStyle, inner) &&
          getComputedStyle(inner, "::before").content === "none" &&
          getComputedStyle(inner, "::after").content === "none"
        );
      };
      // Inline children of a flex or grid container are blocks, which their display tells.
      return inlineText(element, isInline);
    };

    const readAny = (element: Element): string => {
      if (!(element instanceof HTMLElement)) return (element.textContent ?? "").trim();
      const quick = (judgement && byRules(element, judgement)) ?? byStyles(element);
      if (quick !== undefined) return quick;
      agent.releaseLayout();
      if (needsDrawing()) throw new agent.NotDrawn();
      return element.innerText.trim();
    };
    if (!judgement) return (elements) => elements.map((element) => element && readAny(element));

    const { own } = judgement;
    let parents: (Node | null)[] = [];
    let plainParents: boolean[] = [];
    /** The same as `readAny`, in a loop that stays quick for the plain text that most columns are. */
    return (elements) => {
      const texts: (string | null)[] = new Array(elements.length);
      // The columns of a table have the same parents.
      if (parents.length !== elements.length) {
        parents = new Array(elements.length).fill(null);
        plainParents = new Array(elements.length).fill(false);
      }
      for (let index = 0; index < elements.length; index += 1) {
        const element = elements[index];
        if (!element) {
          texts[index] = null;
          continue;
        }
        const parent = element.parentNode;
        if (parent !== parents[index]) {
          parents[index] = parent;
          plainParents[index] = isPlain(parent, judgement);
        }
        if (
          plainParents[index] &&
          // What holds no element holds text, and maybe comments, which are no part of it.
          element.firstElementChild === null &&
          PLAIN.has(element.localName) &&
          !own.has(element)
        ) {
          const text = element.textContent;
          if (SIMPLE.test(text) && element.shadowRoot === null) {
            texts[index] = text;
            continue;
          }
        }
        texts[index] = readAny(element);
      }
      return texts;
    };
  };

  /** Whether style sheets and markup leave no doubt that an element and all around it are shown, and take clicks. */
  agent.isPlainlyShown = (element) => {
    const suspects = readSheets();
    if (!suspects || suspects.inert) return false;
    try {
      if (element.closest([MARKED, ...suspects.own].join(",")) !== null) return false;
    } catch {
      return false;
    }
    let at: Node | null = element.parentNode;
    while (at instanceof Element && PLAIN.has(at.localName) && at.shadowRoot === null) at = at.parentNode;
    return at === document;
  };

  agent.NotDrawn = class extends Error {};
  agent.drawn = async () => {
    if (isDrawn) return;
    agent.releaseLayout();
    if (document.readyState !== "complete")
      await agent.until(() => document.readyState === "complete", 1_000);
    const frame = () => new Promise<unknown>((resolve) => requestAnimationFrame(resolve));
    // A page in the background has no frames.
    await Promise.race([frame().then(frame).then(frame), new Promise((resolve) => setTimeout(resolve, 500))]);
    isDrawn = true;
  };
}
