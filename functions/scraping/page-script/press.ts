/// <reference lib="dom" />
import { pressing } from "./host.ts";
import type { ControlRequest, Pressed } from "./protocol.ts";
import { first } from "./query.ts";
import { isPlainlyShown, isShown } from "./visibility.ts";

/** Pressing the button, link or select that shows more of a list, and where it leads. */

export const PRESSABLE =
  "a,button,input[type=button],input[type=submit],input[type=image],summary,[role=button],[role=link],[onclick]";

/**
 * Whether an element, or the control or the item that it is in, says that it takes no clicks.
 * @param row one of its list: what holds that, too, says nothing of the element
 */
export function isOff(element: Element, row?: Element | null): boolean {
  const saysSo = (at: Element) =>
    at.matches(":disabled,[disabled],[aria-disabled=true],[inert]") ||
    /(^|[\s_-])(is-)?disabled($|\s)/i.test(at.getAttribute("class") ?? "");
  const around = [element.closest(PRESSABLE), element.closest("li,[inert]")];
  return saysSo(element) || around.some((at) => at && saysSo(at) && !at.contains(row ?? null));
}

/** @param list the selector of its list: while the rows take no clicks either, as behind a dialog, the element is not meant */
export function isDisabled(element: Element, list: string | undefined): boolean {
  const row = list === undefined ? null : first(list);
  const takesNoClicks = (at: Element) => getComputedStyle(at).pointerEvents === "none";
  return (
    isAtLast(element) ||
    isOff(element, row) ||
    (!isPlainlyShown(element) && takesNoClicks(element) && !(row && takesNoClicks(row)))
  );
}

/** Whether it seems to a person that a click has an effect: many pagers show what can't be clicked as a text, or by the cursor. */
export function isInviting(element: Element): boolean {
  const target = targetOf(element);
  return (
    target.matches(PRESSABLE) &&
    !target.matches("a:not([href])") &&
    getComputedStyle(target).cursor !== "not-allowed"
  );
}

/** The element that a click on a wrapper hits. One that nobody can see is hit only where there is no other. */
export function targetOf(element: Element): Element {
  if (element.matches(PRESSABLE)) return element;
  const inside = [...element.querySelectorAll(PRESSABLE)];
  return (inside.length > 1 ? inside.find(isShown) : undefined) ?? inside[0] ?? element;
}

/** A link of a page, of its head, or of a drawing in it. */
type Link = HTMLAnchorElement | HTMLLinkElement | SVGAElement;

const hrefOf = ({ href }: Link): string =>
  typeof href === "string" ? href : (URL.parse(href.baseVal, document.baseURI)?.href ?? "");

/** Whether a link leads to another document, or reloads this one. */
const leavesDocument = (link: Link) => {
  const [there] = hrefOf(link).split("#");
  const [here] = location.href.split("#");
  return there !== here || !hrefOf(link).includes("#");
};

/** The web address that a link leads to; null where only a script knows. */
export function addressOf(element: Element): string | null {
  const link = element.localName === "link" ? element : targetOf(element).closest("a[href]");
  const href = link ? hrefOf(link as Link) : "";
  return /^https?:/.test(href) && leavesDocument(link as Link) ? href : null;
}

/** Whether a link or form opens a tab of its own: the list continues in this one. */
function opensTab(opener: Element): boolean {
  const name =
    opener.getAttribute("target") || (document.querySelector<HTMLBaseElement>("base[target]")?.target ?? "");
  return !/^(_self|_parent|_top)?$/i.test(name) && document.getElementsByName(name).length === 0;
}

/** Clicks as a script does. Returns whether the document is certainly about to be replaced. */
function click(element: Element): boolean {
  const target = targetOf(element);
  if (isSelect(target)) {
    chooseNext(target);
    return false;
  }
  const link: Link | null = target.closest("a");
  const opener = link ?? (target as HTMLButtonElement).form;
  if (opener && opensTab(opener)) opener.setAttribute("target", "_self");
  const prevented = new Map<string, () => boolean>();
  const note = (event: Event) => prevented.set(event.type, () => event.defaultPrevented);
  window.addEventListener("click", note, true);
  window.navigation.addEventListener("navigate", note);
  if (target instanceof HTMLElement) target.click();
  else target.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true, composed: true }));
  window.removeEventListener("click", note, true);
  window.navigation.removeEventListener("navigate", note);
  // Only now it is certain whether a script has prevented the default action, or shows the page itself.
  return (
    prevented.get("click")?.() === false &&
    prevented.get("navigate")?.() !== true &&
    window.navigation.transition === null &&
    link !== null &&
    /^https?:/.test(hrefOf(link)) &&
    leavesDocument(link)
  );
}

/** Presses what was chosen as the control that is asked for. */
export function press(
  { element, rivals }: { element: Element | null; rivals: readonly string[] },
  { list, onlyHere }: Pick<ControlRequest, "list" | "onlyHere">,
): Pressed {
  if (rivals.length > 0) return "ambiguous";
  if (!element) return "no_control";
  if (isDisabled(element, list)) return "disabled";
  if (onlyHere && URL.parse(addressOf(element) ?? "", location.href)?.origin !== location.origin)
    return "elsewhere";
  pressing();
  if (element.localName === "link") {
    location.href = (element as HTMLLinkElement).href;
    return "leaving";
  }
  return click(element) ? "leaving" : "pressed";
}

/* A select whose options are the pages of a list. To press it is to choose the option after the current one. */

export const isSelect = (element: Element): element is HTMLSelectElement =>
  element instanceof HTMLSelectElement && !element.multiple;

/** What a select is called: by its labels, up to the options inside them, and by its attributes. */
export function selectNames(select: HTMLSelectElement): string[] {
  const labels = [...select.labels].map((label) => {
    const range = document.createRange();
    range.selectNodeContents(label);
    if (label.contains(select)) range.setEndBefore(select);
    return range.toString();
  });
  return [...labels, select.getAttribute("aria-label") ?? "", select.title].filter((name) => /\S/.test(name));
}

/** The index of the current page. Some pages never choose it, but their options are addresses. */
function currentIndex({ options, selectedIndex }: HTMLSelectElement): number {
  const leadsHere = ({ value }: HTMLOptionElement) =>
    /[/?]/.test(value) && URL.parse(value, document.baseURI)?.href === location.href;
  const at = [...options].findIndex(leadsHere);
  return at < 0 ? selectedIndex : at;
}

/** The option after that of the current page; undefined if that is the last one. */
const nextOption = (select: HTMLSelectElement): HTMLOptionElement | undefined =>
  [...select.options].slice(currentIndex(select) + 1).find(({ disabled, hidden }) => !disabled && !hidden);

const isAtLast = (element: Element): boolean => isSelect(element) && nextOption(element) === undefined;

function chooseNext(select: HTMLSelectElement): void {
  const option = nextOption(select);
  if (!option) return;
  select.selectedIndex = option.index;
  for (const type of ["input", "change"])
    select.dispatchEvent(new Event(type, { bubbles: true, composed: type === "input" }));
}
