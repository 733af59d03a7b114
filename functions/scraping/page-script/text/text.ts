/// <reference lib="dom" />

import { layoutIsHeld, releaseLayout } from "../layout.ts";
import { NotPainted, wasPainted } from "../painting.ts";
import { parentOf } from "../scroller.ts";
import { isStatic } from "../static.ts";
import { mayHaveLateContent, showLateContent } from "./late-content.ts";
import { readSheets } from "./style-rules.ts";
import { createRuleReader, judgeDocument } from "./text-by-rules.ts";

/** Gives the text of an element as `innerText` does. */
export type TextReader = (element: Element) => string;

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

/** Lays the page out, and returns a function that gives the text of an element. @throws NotPainted */
function createLayoutReader(): (element: HTMLElement) => string {
  releaseLayout();
  const needsPainting = (readSheets()?.lazy ?? true) || document.querySelector("object") !== null;
  if (needsPainting && !wasPainted()) throw new NotPainted();
  const mayBeLate = mayHaveLateContent();
  return (element) => {
    if (mayBeLate) showLateContent(element);
    return (isUndisplayedContents(element) ? element.textContent : element.innerText).trim();
  };
}

/**
 * A reader of visible texts, valid until the page's scripts run again. `innerText` needs the layout of the page. As long as
 * that is held back, an element whose text no style rule can change is read without it.
 * @throws NotPainted by the reader
 */
export function createTextReader(): TextReader {
  const suspects = isStatic() && layoutIsHeld() ? readSheets() : undefined;
  const judgement = suspects && judgeDocument(suspects);
  const byRules = judgement && createRuleReader(judgement);
  let byLayout: ((element: HTMLElement) => string) | undefined;
  return (element) => {
    if (!(element instanceof HTMLElement)) return (element.textContent ?? "").trim();
    const text = byRules?.text(element);
    if (text !== undefined) return text;
    byLayout ??= createLayoutReader();
    return byLayout(element);
  };
}
