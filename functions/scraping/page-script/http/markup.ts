/// <reference lib="dom" />
import { isStatic } from "../static.ts";

/** What the markup of a page consists of, to tell whether scripts and style sheets treat another page alike. */

/** Scripts of these types hold data, and do nothing. */
const DATA = /^application\/(ld\+)?json$/i;

/** Numbers in names count things: `post-17` is as good as `post-18`. */
const unnumbered = (text: string) => text.replace(/\d+/g, "#");

const attributesOf = (element: Element, base: string): string[] =>
  [...element.attributes].flatMap(({ name, value }) => {
    if (name === "nonce") return [];
    const isAddress = name === "href" || name === "src";
    return `${name}=${isAddress ? (URL.parse(value, base)?.href ?? value) : value}`;
  });

/** All style sheets of a document, and what it allows them, in order. `base` is what relative addresses start from. */
export const sheetsOf = (page: Document, base: string): string =>
  [...page.querySelectorAll("link[rel~=stylesheet i],style,meta[http-equiv=content-security-policy i]")]
    .map((element) => [element.localName, ...attributesOf(element, base), element.textContent].join(" "))
    .join("\n");

const scriptsOf = (page: Document): Element[] =>
  [...page.querySelectorAll("script")].filter(({ type }) => !DATA.test(type.trim()));

/** Whether a document has an attribute that holds a script. */
const hasHandlers = (page: Document): boolean =>
  page.evaluate("boolean(//@*[starts-with(name(), 'on')])", page, null, XPathResult.BOOLEAN_TYPE)
    .booleanValue;

/** Whether no script can have a part in what a page shows, and the page that is open has none either. */
export const isInert = (page: Document): boolean =>
  isStatic() &&
  scriptsOf(page).length === 0 &&
  page.querySelector("iframe,frame,object,embed") === null &&
  !hasHandlers(page);

/**
 * What scripts may look for in a document: its scripts themselves, and the names of all its elements, attributes,
 * classes and ids.
 */
export function wordsOf(page: Document, base: string): string[] {
  const words = new Set<string>();
  const scripts = scriptsOf(page).map((script) =>
    [...attributesOf(script, base), script.textContent].join(" "),
  );
  words.add(`scripts ${scripts.join("\n")}`);
  for (const element of page.querySelectorAll("*")) {
    words.add(element.localName);
    for (const { name, value } of element.attributes) {
      words.add(`@${unnumbered(name)}`);
      if (name === "class") for (const token of element.classList) words.add(`.${unnumbered(token)}`);
      else if (name === "id") words.add(`#${unnumbered(value)}`);
      else if (name.startsWith("on")) words.add(`${name}=${unnumbered(value)}`);
    }
  }
  return [...words];
}
