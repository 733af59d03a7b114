/** Selectors whose matches are the same in the HTML of a page and in the page. */

/** Pseudo-classes that only depend on the markup. */
const BY_MARKUP =
  /^(first|last|only)-(child|of-type)$|^nth-(last-)?(child|of-type)$|^(not|is|where|has|root|empty|link|any-link|scope|defined|disabled|enabled|required|optional|-webkit-any)$/;
const PSEUDO_CLASS = /(?<!:):([\w-]+)(\([^()]*\))?/g;
/** Quoted texts and escapes, in which a colon starts nothing. */
const QUOTED = /"[^"]*"|'[^']*'|\\./g;

const pseudoClasses = (selector: string): string[] =>
  [...selector.replace(QUOTED, "").matchAll(/(?<!:):([\w-]+)/g)].map(([, name]) =>
    (name as string).toLowerCase(),
  );

/** Whether a selector depends on nothing but the markup. */
export const isByMarkup = (selector: string): boolean =>
  pseudoClasses(selector).every((name) => BY_MARKUP.test(name));

/**
 * A selector that matches whatever another one may ever match, such as `a` for `a:hover`. A pseudo-element matches
 * nothing, so it stays.
 */
export function widened(selector: string): string {
  if (isByMarkup(selector)) return selector;
  // What must not match, or is counted, can't be widened in parts.
  if (/:not\(|\sof\s|\\|["']/i.test(selector)) return "*";
  const wide = selector.replace(PSEUDO_CLASS, (whole, name: string) =>
    BY_MARKUP.test(name.toLowerCase()) ? whole : ":is(*)",
  );
  return isByMarkup(wide) ? wide : "*";
}
