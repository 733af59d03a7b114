/// <reference lib="dom" />
import { bare, candidatesNamed, normalize, PRESSABLE } from "../controls.ts";
import type { Control } from "../protocol.ts";
import type { HtmlReader } from "./plain-text.ts";

/** Where the control of a list leads, in the HTML of a page. */

/** What shows that a control takes no clicks. */
const OFF = ":disabled,[disabled],[aria-disabled=true],[inert]";
const OFF_CLASS = /(^|[\s_-])(is-)?disabled($|\s)/i;
/** Links that do more than lead to another page, or do so without saying where from. */
const SPECIAL = "[download],[referrerpolicy],[rel~=noreferrer i]";

interface NextLinkOptions {
  control: Control;
  rows: ReadonlySet<Element>;
  reader: Pick<HtmlReader, "isShown">;
  /** The address of the page, and the one that relative addresses start from. */
  url: string;
  base: string;
}

/** The elements that may be the control; those with its exact name, if it is told by its name. */
function candidates(page: Document, { control, rows }: NextLinkOptions): Element[] {
  const isInRow = (element: Element) => {
    for (let at: Element | null = element; at; at = at.parentElement) if (rows.has(at)) return true;
    return false;
  };
  if (control.selector !== undefined) {
    const found = [...page.querySelectorAll(control.selector.replace(/^\s*css=/, ""))];
    return found.some(isInRow) ? [] : found;
  }
  const wanted = normalize(control.name ?? "");
  const named = candidatesNamed(wanted, page).filter(({ element }) => !isInRow(element));
  const exact = named.filter(({ names }) => names.includes(wanted));
  const fitting =
    exact.length > 0 ? exact : named.filter(({ names }) => names.some((name) => bare(name) === bare(wanted)));
  return fitting.map(({ element }) => element);
}

const isOff = (element: Element | null): boolean =>
  element !== null && (element.matches(OFF) || OFF_CLASS.test(element.getAttribute("class") ?? ""));

/** The link that a press of an element follows, if that is certain. */
function linkOf(element: Element): Element | null {
  if (element.localName === "link") return element;
  if (isOff(element) || isOff(element.closest("li,[inert]"))) return null;
  const target = element.matches(PRESSABLE) ? element : (element.querySelector(PRESSABLE) ?? element);
  return target.closest("a[href]");
}

function addressOf(link: Element, { url, base }: NextLinkOptions): string | null {
  const target = URL.parse(link.getAttribute("href") ?? "", base);
  if (!target || link.matches(SPECIAL) || target.hash !== "" || target.username !== "") return null;
  const isOther = target.href !== url.split("#")[0];
  return isOther && target.origin === new URL(url).origin ? target.href : null;
}

/**
 * The address that the control of a list leads to, on the same site; null where there is none, or where anything else
 * may happen than that this address is opened.
 */
export function nextAddress(page: Document, options: NextLinkOptions): string | null {
  const found = candidates(page, options);
  const links = found.map(linkOf);
  const addresses = new Set(links.map((link) => link && addressOf(link, options)));
  const [address = null] = addresses;
  if (addresses.size !== 1 || address === null) return null;
  const isHead = found.length === 1 && found[0]?.localName === "link";
  return isHead || found.some((element) => options.reader.isShown(element)) ? address : null;
}
