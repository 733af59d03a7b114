/** Changes of the selectors of other tools into those of Gleaner. */

/** jQuery's own pseudo-classes, which CSS lacks. */
const JQUERY_ONLY =
  /:(?:eq|gt|lt|first|last|even|odd|parent|header|input|button|text|selected|hidden)(?![\w-])(?:\([^)]*\))?/;

/** A selector, or what of it can't be expressed. */
export type Read = { selector: string | undefined } | { unsupported: string };

/** Reads a selector of webscraper.io. `_parent_`, or nothing, stands for the element itself. */
export function readSelector(text: string): Read {
  const trimmed = text.trim();
  if (trimmed === "" || trimmed === "_parent_") return { selector: undefined };
  const own = JQUERY_ONLY.exec(trimmed)?.[0];
  if (own !== undefined) return { unsupported: own };
  return {
    selector: trimmed.replaceAll(/:contains\(\s*(["']?)(.*?)\1\s*\)/g, (_, __, inner: string) => {
      return `:has-text(${JSON.stringify(inner)})`;
    }),
  };
}

/** The selector of an element inside another one. Undefined stands for the outer element. */
export function within(outer: string | undefined, inner: string | undefined): string | undefined {
  if (outer === undefined || inner === undefined) return outer ?? inner;
  return `${grouped(outer)} ${grouped(inner)}`;
}

/** A list of selectors as one that others can follow or precede. */
const grouped = (selector: string): string => (hasAlternatives(selector) ? `:is(${selector})` : selector);

/** Whether a selector has a comma outside of brackets and quotation marks. */
export function hasAlternatives(selector: string): boolean {
  const outside = selector.replaceAll(/"[^"]*"|'[^']*'/g, "").replaceAll(/\[[^\]]*\]/g, "");
  let depth = 0;
  for (const character of outside) {
    if (character === "(") depth += 1;
    if (character === ")") depth -= 1;
    if (character === "," && depth === 0) return true;
  }
  return false;
}

/**
 * The selector of a field relative to its row, where the field's own one may begin with that of the row. Undefined: the
 * row itself.
 */
export function relativeTo(row: string, field: string): string | undefined {
  if (field === row) return undefined;
  const rest = field.startsWith(row) ? field.slice(row.length) : "";
  if (isXPath(field))
    return /^\/|^\[\d+\]\//.test(rest) ? rest.replace(/^\[\d+\]/, "").replace(/^\/?/, "./") : field;
  return /^\s*>|^\s/.test(rest) ? rest.trim() : field;
}

export const isXPath = (selector: string): boolean => /^\.?\/|^\(+\.?\//.test(selector);

/** A selector of Playwright as Gleaner takes it. XPath has to be named as such. */
export const playwright = (selector: string): string => (isXPath(selector) ? `xpath=${selector}` : selector);

/**
 * A regular expression whose whole match counts, as one of Gleaner, whose only group would count.
 * Undefined: it is no valid one with the flag `u`.
 */
export function wholeMatch(pattern: string): string | undefined {
  const parts = pattern.matchAll(/\\.|\[(?:\\.|[^\]\\])*\]|\((?:\?(?:<(?![=!])[^>]*>)?)?|./gsu);
  const text = [...parts].map(([part]) => {
    if (part === "(" || part.startsWith("(?<")) return "(?:";
    // With the flag u, only characters with a meaning may be escaped.
    return /^\\[^\w^$\\.*+?()[\]{}|/]$/u.test(part) ? part.slice(1) : part;
  });
  try {
    new RegExp(text.join(""), "u");
    return text.join("");
  } catch {
    return undefined;
  }
}
