/// <reference lib="dom" />

import { releaseLayout } from "../layout.ts";
import { NotPainted, wasPainted } from "../painting.ts";
import { parentOf } from "../scroller.ts";
import { SIMPLE } from "./inline-text.ts";
import { showLateContent } from "./late-content.ts";
import { PLAIN, readSheets } from "./style-rules.ts";
import { createRuleReader, type Judgement, judgeDocument, type RuleReader } from "./text-by-rules.ts";
import { createStyleReader } from "./text-by-styles.ts";

/**
 * Text as `innerText` gives it, without the layout that `innerText` needs where the result is provably the same.
 *
 * Three ways, each exact, each slower than the one before:
 * 1. No style rule that could change the text matches the element or anything around it: its characters, with
 *    white space collapsed (text-by-rules.ts).
 * 2. The computed styles of the element and of what is around it say the same (text-by-styles.ts).
 * 3. `innerText` itself, which lays out the page.
 */
export type TextReader = (elements: Column) => (string | null)[];

/** An element of each row. A node list is faster by its indexes than as an iterable. */
export type Column = NodeListOf<Element> | Iterable<Element | null>;

/** For this many elements or fewer, computed styles are cheaper than reading all rules. */
const FEW = 12;

const displayOf = (element: Element): string => getComputedStyle(element).display;

/**
 * Whether an element has no box of its own and is in a part of the page that is not displayed. Its `innerText` is all of
 * its text, but empty once a script has asked for its computed style.
 */
function isUndisplayedContents(element: Element): boolean {
  if (displayOf(element) !== "contents") return false;
  for (let at = parentOf(element); at; at = parentOf(at)) if (displayOf(at) === "none") return true;
  return false;
}

/** Way 3. @throws NotPainted */
function innerTextOf(element: HTMLElement): string {
  releaseLayout();
  showLateContent(element);
  const needsPainting =
    !wasPainted() && ((readSheets()?.lazy ?? true) || document.querySelector("object") !== null);
  if (needsPainting) throw new NotPainted();
  return (isUndisplayedContents(element) ? element.textContent : element.innerText).trim();
}

/**
 * A reader of visible texts, valid until the page's scripts run again.
 * @param cells how many elements will be read
 * @throws NotPainted by the reader
 */
export function createTextReader(cells: number): TextReader {
  const judgement = cells > FEW ? judgeDocument(readSheets(), cells) : undefined;
  const byRules = judgement && createRuleReader(judgement);
  const byStyles = createStyleReader();
  const readAny = (element: Element): string => {
    if (!(element instanceof HTMLElement)) return (element.textContent ?? "").trim();
    return byRules?.text(element) ?? byStyles(element) ?? innerTextOf(element);
  };
  if (!judgement || !byRules)
    return (elements) => Array.from(elements, (element) => element && readAny(element));
  return createColumnReader(judgement, byRules, readAny);
}

/** Reads like `readAny`, in a loop that stays fast for the plain text that most columns are. */
function createColumnReader(
  { own }: Judgement,
  byRules: RuleReader,
  readAny: (element: Element) => string,
): TextReader {
  // The columns of a table have the same parents.
  const parents: (Node | null)[] = [];
  const plainParents: boolean[] = [];
  return (elements) => {
    const texts: (string | null)[] = [];
    const read = (element: Element, index: number): string => {
      const parent = element.parentNode;
      if (parent !== parents[index]) {
        parents[index] = parent;
        plainParents[index] = byRules.isPlain(parent);
      }
      if (
        plainParents[index] &&
        // An element without child elements holds text, and maybe comments, which are not part of it.
        element.firstElementChild === null &&
        PLAIN.has(element.localName) &&
        !own.has(element)
      ) {
        const text = element.textContent;
        if (SIMPLE.test(text) && element.shadowRoot === null) return text;
      }
      return readAny(element);
    };
    if (elements instanceof NodeList) {
      for (let index = 0; index < elements.length; index += 1)
        texts[index] = read(elements[index] as Element, index);
    } else {
      for (const element of elements) texts.push(element && read(element, texts.length));
    }
    return texts;
  };
}
