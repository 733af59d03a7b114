import { RunFailure } from "../../runs/failure.ts";

export const noFrame = (selector: string, url: string) =>
  new RunFailure(
    "element_not_found",
    `No frame on ${url} matches ${selector}. Check the step's frame selector against the page.`,
  );

/** A failure that names the invalid one of a step's selectors, if that is what the error is about. */
export function badSelector(selectors: readonly string[], error: unknown): RunFailure | undefined {
  if (!(error instanceof Error) || error instanceof RunFailure) return undefined;
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
