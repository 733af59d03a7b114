/// <reference lib="dom" />
import { SEARCHED } from "../limits.ts";
import { INVISIBLE } from "./invisible.ts";
import { addressOf, isSelect, PRESSABLE, selectNames, targetOf } from "./press.ts";
import { CONTROL_MARK, type Control, type ControlFit, type ControlFound } from "./protocol.ts";
import { all, parentOf } from "./query.ts";
import { around } from "./scroller.ts";
import { isStatic } from "./static.ts";
import { renderedText } from "./text/rendered-text.ts";
import { isShown } from "./visibility.ts";

/** Finding the button or link that shows more of a list. */

const PAGER = "nav,[role=navigation],[class*=pag i],[id*=pag i],[aria-label*=pag i]";

export const normalize = (text: string) =>
  text.replace(INVISIBLE, "").replace(/\s+/g, " ").trim().toLowerCase();

/** A name without decoration, such as the arrow in "Next »". */
export function bare(name: string): string {
  const text = name.replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, "");
  return text === "" ? name : text;
}

/**
 * A name without its numbers, as in "Show more (12)" or "Next 20": how many are left may be a part of it. Undefined if
 * nothing is left of it.
 */
function withoutNumbers(name: string): string | undefined {
  const rest = bare(name.replace(/\d[\d.,]*/g, "#"));
  return /\p{L}/u.test(rest) ? rest : undefined;
}

export const namesOf = (element: Element): string[] =>
  [
    element.getAttribute("aria-label"),
    element.textContent,
    element.getAttribute("title"),
    element instanceof HTMLInputElement ? element.value : null,
    (element.matches("[alt]") ? element : element.querySelector("img[alt]"))?.getAttribute("alt"),
  ].flatMap((name) => (name ? [normalize(name)] : []));

/** An element that may be the control, with all that it is called. */
interface Candidate {
  element: Element;
  names: string[];
}

/** Pressable elements that have the name, or are the only one inside or around an element with the name. */
export function candidatesNamed(wanted: string, root: Document = document): Candidate[] {
  const rest = withoutNumbers(wanted);
  const hasRest = (name: string) => rest !== undefined && /\d/.test(name) && withoutNumbers(name) === rest;
  const isNamed = (name: string) =>
    (name.includes(wanted) && name.length <= wanted.length + SEARCHED.added) || hasRest(name);
  const found = new Map<Element, string[]>();
  for (const element of all(root, PRESSABLE)) {
    const names = namesOf(element).filter(isNamed);
    if (names.length === 0) continue;
    // A label for screen readers is no part of what a person calls it.
    const isExact = names.includes(wanted) || root !== document;
    found.set(element, isExact ? names : [...names, normalize(renderedText(element))]);
  }
  for (const select of all(root, "select").filter(isSelect)) {
    const names = selectNames(select).map(normalize).filter(isNamed);
    if (names.length > 0) found.set(select, names);
  }
  for (const labelled of all(root, "[title],[aria-label]")) {
    const names = [labelled.getAttribute("title"), labelled.getAttribute("aria-label")]
      .map((name) => normalize(name ?? ""))
      .filter(isNamed);
    if (names.length === 0 || found.has(labelled) || labelled.matches(PRESSABLE)) continue;
    const inside = labelled.querySelectorAll(PRESSABLE);
    // The label of a radio button that is hidden may be the control.
    const outside = labelled.closest(PRESSABLE) ?? (labelled.matches("label") && labelled);
    const element = inside.length === 0 ? outside : inside.length === 1 && inside[0];
    if (element) found.set(element, [...(found.get(element) ?? []), ...names]);
  }
  return [...found].map(([element, names]) => ({ element, names }));
}

/** Elements whose whole text, or image, has the name. Only a script can make such an element a control. */
function candidatesByText(wanted: string): Candidate[] {
  if (isStatic()) return [];
  const isCalled = (element: Element) => {
    const text = element.getAttribute("alt") ?? element.textContent;
    return text.length < wanted.length + 100 && normalize(text) === wanted;
  };
  const called = all(document, "body :not(script,style,option)").filter(isCalled);
  const hidden = called.filter((element) => !canBeSeen(element));
  return called
    .filter((element) => !hidden.some((one) => element.contains(one)))
    .map((element) => ({ element, names: [wanted] }));
}

/** Whether a person could see an element and what a click on it hits: around something hidden, there may be a box. */
const canBeSeen = (element: Element) => isShown(element) && isShown(targetOf(element));

const only = <T>(items: T[], isBetter: (item: T) => boolean): T[] => {
  const better = items.filter(isBetter);
  return better.length > 0 ? better : items;
};

/** What the element right around a control is called, where it holds nothing else that can be pressed. */
function labelAround(element: Element): string | undefined {
  const parent = parentOf(element);
  if (!parent || all(parent, PRESSABLE).length > 1) return undefined;
  const label = parent.getAttribute("title") ?? parent.getAttribute("aria-label");
  return label === null ? undefined : normalize(label);
}

/** Where a control leads, without the fragment; for a control of a script, its appearance. */
const placeOf = ({ element }: Candidate) =>
  addressOf(element)?.split("#")[0] ??
  `${element.localName} ${element.getAttribute("class") ?? ""} ${namesOf(element)[0] ?? ""} ${labelAround(element) ?? ""}`;

const describe = ({ element, names }: Candidate) => {
  const address = addressOf(element);
  const name = (names[0] ?? normalize(element.textContent)).slice(0, SEARCHED.added);
  return `<${element.localName}> "${name}"${address === null ? "" : ` to ${address}`}`;
};

/** Of several elements, those that belong to the list. */
function ofList(found: Candidate[], near: Surroundings): Candidate[] {
  // An element and what it wraps are one control.
  const outer = new Set(found.flatMap(({ element }) => [...around(element)].slice(1)));
  let left = found.filter(({ element }) => !outer.has(element));
  if (left.length === 1) return left;
  left = only(left, ({ element }) => element.closest(PRESSABLE) !== null || targetOf(element) !== element);
  const nearest = Math.min(...left.map(({ element }) => near.distance(element)));
  left = left.filter(({ element }) => near.distance(element) === nearest);
  left = only(left, ({ element }) => !near.isIn(element, ELSEWHERE));
  left = only(left, ({ element }) => near.isIn(element, PAGER));
  if (left.every(({ element }) => addressOf(element) === null))
    left = only(left, ({ element }) => near.isAfter(element));
  // Some pagers give all arrows the same name, and tell them apart by a tooltip around each.
  return only(left, ({ element, names }) => {
    const label = labelAround(element);
    return label === undefined || names.includes(label);
  });
}

/** Of elements that lead to different places, those above and below the list that lead to the same: it has two pagers. */
function ofAround(found: Candidate[], near: Surroundings): Candidate[] {
  const byPlace = Map.groupBy(found, placeOf);
  const around = [...byPlace.values()].filter((some) => {
    const after = some.filter(({ element }) => near.isAfter(element)).length;
    return after > 0 && after < some.length;
  });
  return byPlace.size > 1 && around.length === 1 ? (around[0] as Candidate[]) : found;
}

/** The element that is the control, and how it was chosen. */
export interface Choice extends ControlFound {
  element: Element | null;
  /** Whether there is another that matches as well, and that nothing else tells apart from it. */
  hasOther?: boolean;
}

/** What was pressed without any effect on the list, although it looks like its control. */
const inVain = new WeakSet<Element>();

const nothing = (exists: boolean): Choice => ({ element: null, exists, fit: null, name: "", rivals: [] });

function choice(fit: ControlFit, found: Candidate[], near: Surroundings): Choice {
  const left = ofAround(ofList(found, near), near);
  const untried = left.filter(({ element }) => !inVain.has(element));
  const [best] = (untried.length > 0 ? untried : left) as [Candidate];
  const hasOther = untried.length > 1 && addressOf(best.element) === null;
  const places = new Map(left.map((one) => [placeOf(one), one]));
  const rivals = places.size > 1 ? [...places.values()].map(describe) : [];
  return { element: best.element, exists: true, fit, name: best.names[0] ?? "", rivals, hasOther };
}

/** The best of elements with the name: an exact name comes first, and only that may be the name of something in a row. */
function byName(wanted: string, found: Candidate[], control: Control): Choice | undefined {
  if (found.length === 0) return undefined;
  const near = createSurroundings(control.list);
  const outside = found.filter(({ element }) => !near.isInRow(element));
  const isExact = ({ names }: Candidate) => names.includes(wanted);
  const isBare = ({ names }: Candidate) => names.some((name) => bare(name) === bare(wanted));
  const rest = withoutNumbers(wanted);
  const isCounted = ({ names }: Candidate) => names.some((name) => withoutNumbers(name) === rest);
  const isPart = ({ names }: Candidate) =>
    names.some((name) => name.includes(wanted) && name.length <= wanted.length + SEARCHED.added);
  const counted = rest === undefined ? [] : outside.filter(isCounted);
  // "Page 3" and "Page 4" are two pages, and "Next 5" and "Next 3" are one control.
  const isOne =
    !/\d/.test(wanted) || counted.length < 2 || choice("exact", counted, near).rivals.length === 0;
  const tiers: [ControlFit, Candidate[]][] = [
    ["exact", outside.filter(isExact)],
    ["exact", outside.filter(isBare)],
    ["exact", isOne ? counted : []],
    ["part", outside.filter(isPart)],
    ["row", found.filter(isExact)],
  ];
  // Where a list had an exact control, its end is not something else with a similar name.
  const tier = tiers.find(
    ([fit, some]) => some.length > 0 && (fit === "exact" || (control.fit ?? fit) === fit),
  );
  return tier && choice(...tier, near);
}

export function chooseControl(control: Control): Choice {
  const wanted = control.name === undefined ? undefined : normalize(control.name);
  if (control.selector !== undefined) {
    const matching = all(document, control.selector);
    const shown = matching.filter(canBeSeen);
    if (shown.length === 0) {
      const link = matching.find((element) => element.localName === "link") ?? null;
      return { ...nothing(matching.length > 0), element: link, fit: link && "exact" };
    }
    const found = shown.map((element) => ({ element, names: namesOf(element) }));
    if (wanted !== undefined) return byName(wanted, found, control) ?? nothing(false);
    if (found.length === 1) return { ...nothing(true), element: shown[0] as Element, fit: "exact" };
    const near = createSurroundings(control.list);
    return choice(
      "exact",
      only(found, ({ element }) => !near.isInRow(element)),
      near,
    );
  }
  if (wanted === undefined) return nothing(false);
  const named = candidatesNamed(wanted);
  const shown = named.filter(({ element }) => isShown(element));
  const exact = byName(wanted, shown, { ...control, fit: "exact" });
  if (exact) return exact;
  const byText = candidatesByText(wanted);
  return (
    byName(wanted, byText, { ...control, fit: "exact" }) ??
    byName(wanted, shown, control) ??
    nothing(named.some(({ names }) => names.includes(wanted)))
  );
}

/** The one that is like a control which had no effect on the list: that belongs to something else. */
export function chooseOther(control: Control): Choice {
  const { element, hasOther } = chooseControl(control);
  if (!element || !hasOther) return nothing(false);
  inVain.add(element);
  return chooseControl(control);
}

/** Puts a mark on the control, and on nothing else. */
export function markControl({ element }: Choice): void {
  for (const marked of all(document, `[${CONTROL_MARK}]`)) marked.removeAttribute(CONTROL_MARK);
  if (element) targetOf(element).setAttribute(CONTROL_MARK, "");
}

/** What stands around a list. */

/** Parts of a page that are about something else than its list, unless the list is in them. */
export const ELSEWHERE =
  "header,footer,aside,dialog,[role=banner],[role=contentinfo],[role=complementary],[role=search],[role=dialog]";

/** What is known of the list, found out only where it matters which of several elements is the control. */
export function createSurroundings(list: string | undefined) {
  const rows = list === undefined ? [] : all(document, list);
  const known = new Set(rows);
  const last = rows.at(-1);
  const ends = last ? new Set(around(last)) : new Set<Element>();
  const box = [...around(rows[0])].slice(1).find((element) => ends.has(element));
  /** The ancestors of the whole list, the nearest first. */
  const path = [...around(box)];
  const holdsList = new Set(path);
  return {
    isInRow: (element: Element) => [...around(element)].some((at) => known.has(at)),
    /** How far up the nearest common ancestor of the list and the element is. */
    distance(element: Element): number {
      const above = new Set(around(element));
      const at = path.findIndex((ancestor) => above.has(ancestor));
      return at < 0 ? path.length : at;
    },
    /** Whether the element is in a part of the page, such as a header, that the list is not in. */
    isIn: (element: Element, parts: string) =>
      [...around(element)].some((at) => !holdsList.has(at) && at.matches(parts)),
    isAfter: (element: Element) =>
      last !== undefined && (last.compareDocumentPosition(element) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0,
  };
}

type Surroundings = ReturnType<typeof createSurroundings>;
