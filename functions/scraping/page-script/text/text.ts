/// <reference lib="dom" />

import { layoutIsHeld, releaseLayout } from "../layout.ts";
import { NotPainted, wasPainted } from "../painting.ts";
import { isStatic } from "../static.ts";
import { controlText, isControl } from "./control-text.ts";
import { mayHaveLateContent, showLateContent } from "./late-content.ts";
import { renderedText } from "./rendered-text.ts";
import { createSpecials } from "./specials.ts";
import { readSheets } from "./style-rules.ts";
import { createRuleReader, judgeDocument } from "./text-by-rules.ts";

/** Gives the text of an element as a person sees it: mostly its `innerText`. docs/scrapers.md defines it. */
export type TextReader = (element: Element) => string;

/** Lays the page out, and returns a function that gives the text of an element. @throws NotPainted */
function createLayoutReader(): (element: HTMLElement) => string {
  releaseLayout();
  const needsPainting = (readSheets()?.lazy ?? true) || document.querySelector("object") !== null;
  if (needsPainting && !wasPainted()) throw new NotPainted();
  const mayBeLate = mayHaveLateContent();
  const isSpecial = createSpecials();
  return (element) => {
    if (mayBeLate) showLateContent(element);
    if (isSpecial(element) || !element.checkVisibility()) return renderedText(element);
    const text = element.innerText.trim();
    return text === "" && /\S/.test(element.textContent) ? renderedText(element) : text;
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
    if (isControl(element)) return controlText(element) ?? "";
    if (!(element instanceof HTMLElement))
      return element instanceof MathMLElement ? renderedText(element) : element.textContent.trim();
    const text = byRules?.text(element);
    if (text !== undefined) return text;
    byLayout ??= createLayoutReader();
    return byLayout(element);
  };
}
