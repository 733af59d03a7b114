/// <reference lib="dom" />

import type { Locator, Page } from "playwright-core";
import { RunFailure } from "../../runs/failure.ts";
import type { Budget } from "../budget.ts";
import type { Tab } from "../page/tab.ts";
import { within } from "../time-limit.ts";
import { STEP_MS } from "../timing.ts";
import { frameElement, type Place, type Scope, scopeOf } from "./frame-path.ts";
import { badSelector, inWords, nearest, noFrame } from "./selector-failures.ts";

const CONTROLS = "a,button,input:not([type=hidden]),select,textarea,summary";

type Role = Parameters<Page["getByRole"]>[0];

/** What an element has to be, to be acted on by a step: its roles, and what it is in HTML. */
export interface Kind {
  /** Roles of one group count alike: a name that elements of two roles have is no name of one element. */
  roles: readonly (readonly Role[])[];
  css: string;
  /** Whether any text that a person sees may name it. */
  byText: boolean;
  noun: string;
  /** The first hidden `select` among candidates for which the page shows another one. */
  standIn?: (candidates: Locator) => Promise<Locator | undefined>;
  /** Looks for an element whose name nothing else tells. */
  further?: (scope: Scope, name: string, page: Page) => Promise<Locator | undefined>;
}

export const clickable: Kind = {
  roles: [
    ["button", "link", "checkbox", "radio", "tab", "menuitem", "option", "switch", "treeitem", "combobox"],
  ],
  css: "a,button,input,select,summary,label,[role],[onclick],[tabindex]",
  byText: true,
  noun: "element to click",
};
export const hoverable: Kind = { ...clickable, noun: "element to hover over" };
export const writable: Kind = {
  roles: [["textbox", "searchbox", "combobox", "spinbutton"], ["slider"]],
  css: "input:not([type=hidden],[type=submit],[type=button],[type=reset],[type=image],[type=checkbox],[type=radio],[type=file],[type=range],[type=color]),textarea,[contenteditable=''],[contenteditable=true],[contenteditable=plaintext-only],[role=textbox],[role=searchbox]",
  byText: false,
  noun: "text input",
};
export const readable: Kind = { roles: [], css: "*", byText: true, noun: "element" };

/** What a step says about the element that it acts on. */
export interface Target extends Place {
  selector?: string | undefined;
  field_name?: string | undefined;
  timeout_ms?: number | undefined;
  optional?: boolean | undefined;
  /** The CSS selector of the rows of the list that follows the step, in the same frame. */
  rows?: string | undefined;
}

/** Each row of the list that follows a step has one of the elements that match equally well. */
export class OneInEachRow extends RunFailure {}

export const timeoutOf = (target: Target) => target.timeout_ms ?? STEP_MS;

/**
 * The element that a step acts on, once it is there: by its selector, else by the name that a person would call it,
 * else the focused one or the only visible one.
 * @throws RunFailure element_not_found or element_ambiguous; OneInEachRow
 */
export async function findElement(tab: Tab, target: Target, kind: Kind, budget: Budget): Promise<Locator> {
  const { page } = tab;
  const scope = scopeOf(page, target);
  const timeout = budget.cut(timeoutOf(target));
  const look = () => within(timeout + budget.answerMs, lookFor(scope, target, kind, page));
  const found = await tab.until(look, timeout);
  if (found) return found;
  throw await notFound(scope, target, kind, page, budget);
}

async function lookFor(scope: Scope, target: Target, kind: Kind, page: Page): Promise<Locator | undefined> {
  const { frame } = target;
  if (frame !== undefined) {
    const { element, selector } = frameElement(page, target);
    if (!(await firstMatch(element, selector))) return undefined;
  }
  if (target.selector !== undefined) {
    const matching = scope.locator(target.selector);
    const found = await firstMatch(matching, target.selector);
    if (found) await refuseForRows(matching.filter({ visible: true }), target.selector, target.rows);
    // A banner that was closed before is often still there, hidden.
    const isHidden = target.optional && kind !== readable && found && !(await found.isVisible());
    return isHidden ? kind.standIn?.(found) : found;
  }
  if (target.field_name === undefined) return theOnlyOne(scope, kind, page);
  const { field_name } = target;
  const find = () => findByName(scope, field_name, kind, page, target.rows);
  const found = await find();
  if (found || !kind.further) return found;
  const other = await kind
    .further(scope, field_name, page)
    .catch((error: unknown) => () => Promise.reject(error));
  // The page may have shown it meanwhile.
  return (other && (await find())) ?? (other instanceof Function ? other() : other);
}

/** The visible element of a kind that a person would call so. @throws RunFailure element_ambiguous; OneInEachRow */
export async function findByName(
  scope: Scope,
  name: string,
  kind: Kind,
  page: Page,
  rows?: string,
): Promise<Locator | undefined> {
  const standIn = kind.standIn && (await countOf(scope.locator("select"))) > 0 ? kind.standIn : undefined;
  for (const candidates of byName(scope, name, kind)) {
    const named = candidates.filter({ visible: true });
    const shown = await buttonsAmongLinks(named, scope);
    const count = await countOf(shown);
    const found = count === 1 ? shown.first() : await standIn?.(candidates);
    if (found) return found;
    if (count > 1) {
      await refuseForRows(shown, `"${name}"`, rows);
      return oneOf(shown, `"${name}"`, page);
    }
  }
  return undefined;
}

/** Of buttons and links of one name, the buttons: "Sign in" sends the form, while the link at the top of the page opens it. */
async function buttonsAmongLinks(named: Locator, scope: Scope): Promise<Locator> {
  const buttons = named.and(scope.getByRole("button"));
  const count = await countOf(buttons);
  const links = count > 0 ? await countOf(named.and(scope.getByRole("link"))) : 0;
  return links > 0 && count + links === (await countOf(named)) ? buttons : named;
}

/** The first visible element that a selector matches, else the first. */
async function firstMatch(locator: Locator, selector: string): Promise<Locator | undefined> {
  try {
    if ((await locator.count()) === 0) return undefined;
    const shown = locator.filter({ visible: true });
    return (await shown.count()) > 0 ? shown.first() : locator.first();
  } catch (error) {
    throw badSelector([selector], error) ?? error;
  }
}

/** A frame that is not there yet has no elements. */
const countOf = (locator: Locator) => locator.count().catch(() => 0);

async function theOnlyOne(scope: Scope, kind: Kind, page: Page): Promise<Locator | undefined> {
  const all = scope.locator(kind.css).filter({ visible: true });
  const focused = scope.locator(`:focus`).and(scope.locator(kind.css));
  if ((await countOf(focused)) > 0) return focused.first();
  const count = await countOf(all);
  if (count > 1) return oneOf(all, `the step: no ${kind.noun} is named`, page);
  return count > 0 ? all.first() : kind.standIn?.(scope.locator(kind.css));
}

/** A name as a label may have it: in other case, and with what a form adds, as in "E-mail (required) *:". */
export function asLabelled(name: string): RegExp {
  const pattern = name
    .trim()
    .replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&")
    .replace(/\s+/g, "\\s+");
  const spellings = ["NFC", "NFD"].map((form) => pattern.normalize(form));
  return new RegExp(`^\\s*(?:${spellings.join("|")})\\s*(?:\\([^)]*\\))?[\\s:*…]*$`, "i");
}

/** Ways to name an element, the most specific first; exact names before parts of names. */
function* byName(scope: Scope, name: string, kind: Kind): Generator<Locator> {
  const fitting = scope.locator(kind.css);
  for (const [text, exact] of [
    [name, true],
    [asLabelled(name), false],
    [name, false],
  ] as const) {
    for (const group of kind.roles)
      yield group
        .map((role) => scope.getByRole(role, { name: text, exact }))
        .reduce((all, one) => all.or(one));
    yield scope.getByLabel(text, { exact }).and(fitting);
    yield scope.getByPlaceholder(text, { exact }).and(fitting);
    yield scope.getByTitle(text, { exact }).and(fitting);
    yield scope.getByAltText(text, { exact });
    if (kind.css !== readable.css) {
      // The name of an item stands for the only control in it.
      const control = kind.byText ? CONTROLS : kind.css;
      for (const item of [scope.getByTitle(text, { exact }), scope.getByLabel(text, { exact })])
        yield item.filter({ hasNot: scope.locator(control).nth(1) }).locator(control);
    }
    if (!kind.byText) continue;
    yield scope.getByText(text, { exact });
    yield scope.getByTitle(text, { exact }).filter({ hasNot: scope.locator(CONTROLS) });
  }
  // A label of a hidden input, which the page has put another one beside.
  if (!kind.byText)
    yield scope
      .locator("label", { hasText: asLabelled(name) })
      .locator("xpath=following-sibling::*[not(self::input[@type='hidden'])][1]")
      .and(fitting);
  // The name in the code: "Search box" is search-box, search_box or searchBox.
  const words = name
    .trim()
    .toLowerCase()
    .split(/[\s_-]+/);
  for (const joined of new Set([name, words.join("-"), words.join("_"), words.join("")])) {
    const quoted = JSON.stringify(joined);
    yield scope.locator(`[name=${quoted} i],[id=${quoted} i],[data-testid=${quoted} i]`).and(fitting);
  }
}

/**
 * Several elements match, one in each of several rows: then the step is meant for each row. Links and buttons that leave the
 * page are not: pressing all of them would do more than to show something.
 * @param rows the CSS selector of the rows; undefined: there are none
 * @throws OneInEachRow
 */
async function refuseForRows(elements: Locator, meant: string, rows: string | undefined): Promise<void> {
  if (rows === undefined || (await countOf(elements)) < 2) return;
  const count = await elements.evaluateAll((all, selector) => {
    const here = location.href.split("#")[0];
    const leaves = (element: Element) => {
      const link = element.closest<HTMLAnchorElement>("a[href]");
      const button = element.closest<HTMLButtonElement | HTMLInputElement>("button,input");
      const submits = button?.form && /^(?:submit|image)$/.test(button.type);
      return submits || (/^https?:/.test(link?.href ?? "") && link?.href.split("#")[0] !== here);
    };
    const distinct = all.filter(
      (element) => !all.some((other) => other !== element && element.contains(other)),
    );
    // A row beyond a shadow root, or with a selector of another kind than CSS, is not found.
    const rowOf = (element: Element) => {
      try {
        return element.parentElement?.closest(selector) ?? null;
      } catch {
        return null;
      }
    };
    const found = new Set(distinct.map(rowOf));
    const isOneInEach = found.size === distinct.length && !found.has(null);
    return isOneInEach && !distinct.some(leaves) ? found.size : 0;
  }, rows);
  if (count < 2) return;
  throw new OneInEachRow(
    "element_ambiguous",
    `Each of ${count} rows of the list that follows has an element that matches ${meant}, so the step was performed for each row, before it was read. If that is meant, move the step into "each" of the list. If not, give it a selector that matches one element.`,
  );
}

/**
 * Of several elements that match, the innermost, or the first of links to the same place.
 * @throws RunFailure element_ambiguous
 */
async function oneOf(locator: Locator, meant: string, page: Page): Promise<Locator> {
  const found = await locator.evaluateAll((elements) => {
    const innermost = elements.filter(
      (element) => !elements.some((other) => other !== element && element.contains(other)),
    );
    // A label's link, such as in a filter, does what the control of the label does, or tells more of it.
    const distinct = innermost.filter((element) => {
      const control = element.closest("label")?.control;
      return !control || control === element || !innermost.includes(control);
    });
    // A link to "#" runs a script.
    const placeOf = (link: HTMLAnchorElement | null) =>
      link && /^https?:.*[^#]$/s.test(link.href) ? link.href : undefined;
    const places = new Set(distinct.map((element) => placeOf(element.closest("a")) ?? element));
    const describe = (element: Element) => {
      const id = element.id ? `#${element.id}` : "";
      const label =
        element.getAttribute("aria-label") ??
        element.getAttribute("placeholder") ??
        element.getAttribute("name");
      const text = label ?? (element as HTMLElement).innerText ?? "";
      return `<${element.localName}${id}> ${text.trim().replace(/\s+/g, " ").slice(0, 60)}`.trim();
    };
    const first = elements.findIndex((element) => distinct.includes(element));
    return { count: places.size, first, list: distinct.slice(0, 5).map(describe) };
  });
  if (found.count <= 1) return locator.nth(Math.max(0, found.first));
  const areAlike = found.list.every((one) => one === found.list[0]);
  const orEach = areAlike ? ', or, if each row of a list has one, put the step into "each" of the list' : "";
  throw new RunFailure(
    "element_ambiguous",
    `${found.count} elements on ${page.url()} match ${meant} equally well: ${found.list.join("; ")}. Give the step a selector that matches one of them${orEach}.`,
  );
}

async function notFound(
  scope: Scope,
  target: Target,
  kind: Kind,
  page: Page,
  { answerMs }: Budget,
): Promise<RunFailure> {
  if (target.frame !== undefined) {
    const { element } = frameElement(page, target);
    const frames = await within(answerMs, countOf(element)).catch(() => 0);
    if (frames === 0) return noFrame(target.frame, page);
  }
  const inside = `${target.row ? "in the row " : ""}${target.frame ? `in the frame ${inWords(target.frame)} ` : ""}`;
  const where = inside === "" ? `on ${page.url()}` : `${inside}of ${page.url()}`;
  if (target.selector !== undefined) {
    return new RunFailure(
      "element_not_found",
      `Nothing ${where} matches the selector ${target.selector}. Check the selector against the page.`,
    );
  }
  if (target.field_name === undefined) {
    return new RunFailure(
      "element_not_found",
      `There is no ${kind.noun} ${where}. Check the page, or give the step a field_name or a selector.`,
    );
  }
  if (await within(answerMs, isHidden(scope, target.field_name, kind)).catch(() => false)) {
    return new RunFailure(
      "element_not_found",
      `The ${kind.noun} called "${target.field_name}" ${where} is hidden. Add a step before this one that makes it visible, or remove this step if the page works without it.`,
    );
  }
  const names = await within(answerMs, namesOn(scope, kind)).catch(() => []);
  // A name that did not lead to an element is no help.
  const others = names.filter((name) => name !== target.field_name);
  const near = nearest(target.field_name, others, 5);
  const hint = near.length > 0 ? ` The nearest are: ${near.map((name) => `"${name}"`).join(", ")}.` : "";
  return new RunFailure(
    "element_not_found",
    `There is no ${kind.noun} called "${target.field_name}" ${where}.${hint} Check the name, or give the step a selector.`,
  );
}

/** Whether a name matches something hidden, which has no accessible name. */
async function isHidden(scope: Scope, name: string, kind: Kind): Promise<boolean> {
  const fitting = scope.locator(kind.css);
  const named = [
    scope.getByLabel(name).and(fitting),
    scope.getByPlaceholder(name).and(fitting),
    scope.getByTitle(name).and(fitting),
  ];
  if (kind.byText) named.push(scope.getByText(name, { exact: true }));
  for (const locator of named) if ((await countOf(locator)) > 0) return true;
  return false;
}

/** The names of the visible elements of a kind. */
async function namesOn(scope: Scope, kind: Kind): Promise<string[]> {
  const css = kind.css === "*" ? "h1,h2,h3,h4,th,dt,label,a,button" : kind.css;
  return scope
    .locator(css)
    .filter({ visible: true })
    .evaluateAll((elements) =>
      elements.slice(0, 2_000).flatMap((element) => {
        const labels =
          element instanceof HTMLInputElement ||
          element instanceof HTMLSelectElement ||
          element instanceof HTMLTextAreaElement
            ? [...(element.labels ?? [])]
            : [];
        const isField = labels.length > 0 || /^(input|select|textarea)$/.test(element.localName);
        const texts = [
          element.getAttribute("aria-label"),
          element.getAttribute("placeholder"),
          element.getAttribute("title"),
          ...labels.map((label) => label.textContent),
          isField ? element.getAttribute("name") : element.textContent,
        ];
        return texts.flatMap((text) =>
          text?.trim() && text.length < 100 ? [text.trim().replace(/\s+/g, " ")] : [],
        );
      }),
    )
    .catch(() => []);
}
