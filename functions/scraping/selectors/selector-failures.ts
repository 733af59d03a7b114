import type { Page } from "playwright-core";
import type { FramePath } from "../../contract/steps/action-steps.ts";
import { RunFailure } from "../../runs/failure.ts";
import { FOREIGN_FRAME } from "../page-script/protocol.ts";

/** The selectors of frames inside each other, for messages. */
export const inWords = (frame: FramePath): string => [frame].flat().join(" > ");

/** The failure of a step whose frame is not there. Says how to name a frame inside another one, where there are such frames. */
export function noFrame(frame: FramePath, page: Page): RunFailure {
  const inner = page.frames().some((one) => (one.parentFrame() ?? page.mainFrame()) !== page.mainFrame());
  const advice = inner
    ? ' The page has frames inside of frames: for these, list the selectors from the outermost frame on, such as "frame": ["#outer", "#inner"].'
    : "";
  return new RunFailure(
    "element_not_found",
    `No frame on ${page.url()} matches ${inWords(frame)}. Check the step's frame selector against the page.${advice}`,
  );
}

/** A failure that names the invalid one of a step's selectors, if that is what the error is about. */
export function badSelector(selectors: readonly string[], error: unknown): RunFailure | undefined {
  if (!(error instanceof Error) || error instanceof RunFailure) return undefined;
  if (error.message.includes(FOREIGN_FRAME))
    return new RunFailure(
      "invalid_step",
      'A frame within a row shows a page of another origin or of a sandbox, where fields can\'t be read. Read its address by a field with "attribute": "src", and the fields of its page by "details" with that url_field. If the frame has its HTML in "srcdoc", read that attribute.',
      { cause: error },
    );
  if (
    !/not a valid (selector|XPath)|Unexpected token|while parsing (css )?selector|Unknown engine|Malformed|SyntaxError|Not elements/i.test(
      error.message,
    )
  ) {
    return undefined;
  }
  // Browsers and Playwright quote what they could not parse, without the name of its engine, and of a chain only one part;
  // the log names the others, too.
  const [complaint = ""] = error.message.split("\nCall log:");
  const isQuoted = (part: string) => complaint.includes(part.trim().replace(/^(css|xpath)=/, ""));
  const longestFirst = selectors.toSorted((a, b) => b.length - a.length);
  const selector =
    longestFirst.find(isQuoted) ??
    longestFirst.find((chain) => chain.split(">>").some(isQuoted)) ??
    selectors[0];
  return new RunFailure(
    "invalid_step",
    complaint.includes("Not elements")
      ? `${selector} selects attributes or texts, not elements. Select the element, and name the attribute in "attribute".`
      : `${selector} is not a valid selector. Check its syntax.`,
    {
      cause: error,
    },
  );
}

/** The most similar of `names`, best first; only names that have something in common with `wanted`. */
export function nearest(wanted: string, names: readonly string[], count: number): string[] {
  const target = simplify(wanted);
  const scored = [...new Set(names)].map((name) => ({ name, score: likeness(target, simplify(name)) }));
  return scored
    .filter(({ score }) => score > 0.2)
    .sort((a, b) => b.score - a.score)
    .slice(0, count)
    .map(({ name }) => name);
}

/** A page may name things at any length; a person uses short names. */
const simplify = (text: string) => text.slice(0, 200).toLowerCase().replace(/\s+/g, " ").trim();

/** The share of letter pairs that two texts have in common (Dice's coefficient), from 0 to 1. */
function likeness(a: string, b: string): number {
  if (a === b) return 1;
  const pairsOf = (text: string) =>
    Array.from({ length: Math.max(0, text.length - 1) }, (_, at) => text.slice(at, at + 2));
  const left = pairsOf(a);
  const right = pairsOf(b);
  if (left.length + right.length === 0) return 0;
  let common = 0;
  for (const pair of left) {
    const at = right.indexOf(pair);
    if (at < 0) continue;
    right.splice(at, 1);
    common += 1;
  }
  return (2 * common) / (left.length + common + right.length);
}
