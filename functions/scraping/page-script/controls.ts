/// <reference lib="dom" />
import type { Control, Pressed } from "./protocol.ts";
import { all, isStatic } from "./query.ts";
import { isPlainlyShown, isShown } from "./visibility.ts";

/** Finding and pressing the button or link that shows more of a list. */

const PRESSABLE =
  "a,button,input[type=button],input[type=submit],input[type=image],summary,[role=button],[role=link],[onclick]";

const normalize = (text: string) => text.replace(/\s+/g, " ").trim().toLowerCase();

const namesOf = (element: Element): string[] =>
  [
    element.getAttribute("aria-label"),
    element.textContent,
    element.getAttribute("title"),
    element instanceof HTMLInputElement ? element.value : null,
    (element.matches("[alt]") ? element : element.querySelector("img[alt]"))?.getAttribute("alt"),
  ].flatMap((name) => (name ? [normalize(name)] : []));

/** The innermost element whose whole text is the name: only a script can have made it a control. */
function findByText(wanted: string): Element | undefined {
  if (isStatic()) return undefined;
  const hasText = (element: Element) =>
    element.textContent.length < wanted.length + 100 && normalize(element.textContent) === wanted;
  return all(document, "body :not(script,style,option)").findLast(
    (element) => hasText(element) && isShown(element),
  );
}

export function findControl(control: Control): Element | null {
  if (control.selector !== undefined) {
    const found = all(document, control.selector);
    return (
      found.find((element) => isShown(element)) ??
      found.find((element) => element.localName === "link") ??
      null
    );
  }
  const wanted = normalize(control.field_name ?? "");
  const named = all(document, PRESSABLE).filter(
    (element) => namesOf(element).some((name) => name.includes(wanted)) && isShown(element),
  );
  const exact = named.filter((element) => namesOf(element).includes(wanted));
  return exact[0] ?? findByText(wanted) ?? named[0] ?? null;
}

export function isDisabled(element: Element): boolean {
  const isOff = (at: Element | null) =>
    at !== null &&
    (at.matches(":disabled,[disabled],[aria-disabled=true],[inert]") ||
      /(^|[\s_-])(is-)?disabled($|\s)/i.test(at.getAttribute("class") ?? ""));
  return (
    isOff(element) ||
    isOff(element.closest("li,[inert]")) ||
    (!isPlainlyShown(element) && getComputedStyle(element).pointerEvents === "none")
  );
}

/** A click in the middle of a wrapper hits what it wraps. */
const targetOf = (element: Element) =>
  (element.matches(PRESSABLE) ? element : (element.querySelector(PRESSABLE) ?? element)) as HTMLElement;

/** Whether a link leads to another document, or reloads this one. */
const leavesDocument = (link: { href: string }) => {
  const [there] = link.href.split("#");
  const [here] = location.href.split("#");
  return there !== here || !link.href.includes("#");
};

/** The web address that a link leads to; null where only a script knows. */
export function addressOf(element: Element): string | null {
  const link =
    element.localName === "link"
      ? (element as HTMLLinkElement)
      : targetOf(element).closest<HTMLAnchorElement>("a[href]");
  return link && /^https?:/.test(link.href) && leavesDocument(link) ? link.href : null;
}

/** Whether a link or form opens a tab of its own: the list continues in this one. */
function opensTab(opener: HTMLAnchorElement | HTMLFormElement): boolean {
  const name = opener.target || (document.querySelector<HTMLBaseElement>("base[target]")?.target ?? "");
  return !/^(_self|_parent|_top)?$/i.test(name) && document.getElementsByName(name).length === 0;
}

/** Clicks as a script does. Returns whether the document is certainly about to be replaced. */
function click(element: Element): boolean {
  const target = targetOf(element);
  const link = target.closest("a");
  const opener = link ?? (target as HTMLButtonElement).form;
  if (opener && opensTab(opener)) opener.target = "_self";
  let prevented: boolean | undefined;
  const note = (event: Event) => {
    prevented = event.defaultPrevented;
  };
  window.addEventListener("click", note);
  target.click();
  window.removeEventListener("click", note);
  const follows =
    prevented === false && link !== null && /^https?:$/.test(link.protocol) && leavesDocument(link);
  // In a frame, only the document inside it is replaced.
  return follows && globalThis.top === globalThis.self;
}

/** @param onlyHere whether to leave a control alone that leads to another site */
export function press(element: Element | null, onlyHere = false): Pressed {
  if (!element) return "no_control";
  if (isDisabled(element)) return "disabled";
  if (onlyHere && URL.parse(addressOf(element) ?? "", location.href)?.origin !== location.origin)
    return "elsewhere";
  if (element.localName === "link") {
    location.href = (element as HTMLLinkElement).href;
    return globalThis.top === globalThis.self ? "leaving" : "pressed";
  }
  return click(element) ? "leaving" : "pressed";
}
