/// <reference lib="dom" />
import type { Agent } from "./agent.ts";

/** Finding and pressing the button or link that shows more of a list. */
export function installControls(agent: Agent): void {
  const PRESSABLE =
    "a,button,input[type=button],input[type=submit],input[type=image],summary,[role=button],[role=link],[onclick]";
  const same = (text: string) => text.replace(/\s+/g, " ").trim().toLowerCase();

  const namesOf = (element: Element): string[] =>
    [
      element.getAttribute("aria-label"),
      element.textContent,
      element.getAttribute("title"),
      element instanceof HTMLInputElement ? element.value : null,
      (element.matches("[alt]") ? element : element.querySelector("img[alt]"))?.getAttribute("alt"),
    ].flatMap((name) => (name ? [same(name)] : []));

  /** The innermost element that says nothing else: only a script can have made it something to press. */
  const saying = (wanted: string): Element | undefined => {
    if (agent.isStatic()) return undefined;
    const says = (element: Element) =>
      element.textContent.length < wanted.length + 100 && same(element.textContent) === wanted;
    return agent
      .all(document, "body :not(script,style,option)")
      .findLast((element) => says(element) && agent.isShown(element));
  };

  agent.findControl = (control) => {
    if (control.selector !== undefined) {
      const found = agent.all(document, control.selector);
      return (
        found.find((element) => agent.isShown(element)) ??
        found.find((element) => element.localName === "link") ??
        null
      );
    }
    const wanted = same(control.field_name ?? "");
    const named = agent
      .all(document, PRESSABLE)
      .filter((element) => namesOf(element).some((name) => name.includes(wanted)) && agent.isShown(element));
    const exact = named.filter((element) => namesOf(element).includes(wanted));
    return exact[0] ?? saying(wanted) ?? named[0] ?? null;
  };

  agent.isDisabled = (element) => {
    const off = (at: Element | null) =>
      at !== null &&
      (at.matches(":disabled,[disabled],[aria-disabled=true],[inert]") ||
        /(^|[\s_-])(is-)?disabled($|\s)/i.test(at.getAttribute("class") ?? ""));
    return (
      off(element) ||
      off(element.closest("li,[inert]")) ||
      (!agent.isPlainlyShown(element) && getComputedStyle(element).pointerEvents === "none")
    );
  };

  /** A click in the middle of a wrapper falls on what it wraps. */
  const targetOf = (element: Element) =>
    (element.matches(PRESSABLE) ? element : (element.querySelector(PRESSABLE) ?? element)) as HTMLElement;

  /** To another document, or to the same one anew. */
  const leads = (link: { href: string }) => {
    const [there] = link.href.split("#");
    const [here] = location.href.split("#");
    return there !== here || !link.href.includes("#");
  };

  agent.isStatic = () =>
    [...document.scripts].every((script) => /json|template|text\/(plain|html)/.test(script.type));

  agent.addressOf = (element) => {
    const link =
      element.localName === "link"
        ? (element as HTMLLinkElement)
        : targetOf(element).closest<HTMLAnchorElement>("a[href]");
    return link && /^https?:/.test(link.href) && leads(link) ? link.href : null;
  };

  /** Whether a link or form shows what it leads to in a tab of its own: the list goes on in this one. */
  const opensTab = (opener: HTMLAnchorElement | HTMLFormElement) => {
    const name = opener.target || (document.querySelector<HTMLBaseElement>("base[target]")?.target ?? "");
    return !/^(_self|_parent|_top)?$/i.test(name) && document.getElementsByName(name).length === 0;
  };

  agent.press = (element) => {
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
    const follows = prevented === false && link !== null && /^https?:$/.test(link.protocol) && leads(link);
    // Of a frame, only the document inside is left.
    return follows && globalThis.top === globalThis.self;
  };
}
