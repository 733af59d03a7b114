/// <reference lib="dom" />
import type { Agent, Control } from "./agent.ts";
import type { Portion } from "./portions.ts";

/** One value: an element below the row (or the row itself), and what of it. */
export interface FieldRequest {
  selector?: string | undefined;
  attribute?: string | undefined;
}

export interface TakeRequest {
  selector: string;
  fields: readonly FieldRequest[];
  /** The most rows to return. */
  limit: number;
  /** Longest wait for the list to be there, or to have become other than it was last taken. */
  waitMs: number;
  /**
   * What of the list is asked for: `all` of it as it stands; `changed`: all of it, once it is not what was last
   * taken or noted; `grown`: what has come since.
   */
  part: "all" | "changed" | "grown";
  /** Pressed before the list is looked at. */
  press?: Control | undefined;
  /** Pressed as soon as the rows are taken, if there is room for more of them and it does not lead to another site. */
  pressAfter?: Control | undefined;
  /** Whether rows are taken that show nothing, too: they were waited for. */
  sketches?: boolean | undefined;
  /** Whether all that the rows hold is wanted, to know a page again. */
  sign?: boolean | undefined;
}

export interface TakeAnswer extends Portion {
  /**
   * `missing`: no list in time. `same`: it did not change in time. `no_control`, `disabled`: nothing was pressed.
   * `sketch`: its rows show nothing yet. `recycled`: its rows give place to others, which marks can't follow.
   */
  state: "rows" | "missing" | "same" | "no_control" | "disabled" | "sketch" | "recycled";
  url: string;
  sign: string;
  /** After `pressAfter`: where the control leads, as far as it says, and what became of the press. */
  target: string | null;
  after: "none" | "no_control" | "disabled" | "pressed" | "leaving";
  /** Whether more of the document was still on its way. */
  loading: boolean;
  /** Milliseconds spent waiting. */
  waited: number;
}

export interface ControlRequest extends Control {
  /** Whether it is only pressed where it leads to no other site. */
  onlyHere?: boolean;
  /** How long the rest of a page may take, when its list is there and its control is not. */
  restMs: number;
}

/** Taking lists, and the single values of a page. */
export function installLists(agent: Agent): void {
  interface Taken {
    rows: Element[];
    /** All rows that were ever taken, from when the list first lost some of them. */
    seen: WeakSet<Element> | undefined;
    count: number;
    cells: string;
  }
  /** What was last taken of each list in this document, by its selector. */
  const lists = new Map<string, Taken>();
  const BY_ROW_BELOW = 500;
  const URL_ATTRIBUTES = new Set(
    "href src action formaction poster cite data background longdesc xlink:href".split(" "),
  );
  /** How long a list may be absent before the page gets its layout, which scripts may be waiting for. */
  const HOLD_MS = 100;
  /** The same after a press, whose answer has to come from the server. */
  const HOLD_PRESSED_MS = 1_000;
  /** How long rows that show nothing are taken for a sketch of others. */
  const SKETCH_MS = 1_500;
  /** How long a page's scripts may take to come, when its list is there and its control is not. */
  const SCRIPTS_MS = 3_000;
  /** How long a script may keep a control off after the list changed. */
  const BUSY_MS = 500;

  const attributeOf = (element: Element | null, attribute: string): string | null => {
    if (element === null) return null;
    // Marks for selectors that only Playwright knows are none of the page's.
    if (attribute === "html") return element.innerHTML.replace(/ data-gleaner-mark="[^"]*"/g, "");
    const value = element.getAttribute(attribute);
    if (value === null || !URL_ATTRIBUTES.has(attribute)) return value;
    if (attribute === "href" && element instanceof HTMLAnchorElement) return element.href;
    return URL.parse(value, element.baseURI)?.href ?? value;
  };

  /** What each element has of what a field asks for. */
  const valuesOf = (
    elements: readonly (Element | null)[],
    attribute: string | undefined,
    texts: (elements: readonly (Element | null)[]) => (string | null)[],
  ): (string | null)[] =>
    attribute === undefined || attribute === "text"
      ? texts(elements)
      : elements.map((element) => attributeOf(element, attribute));

  /** The first element that each row has for a selector. */
  const cellsOf = (rows: Element[], selector: string, areApart: boolean): (Element | null)[] => {
    if (!areApart || /:scope|^\s*[>+~]|^\s*xpath=|^\s*\.{0,2}\/|^\s*\.\.|^\s*\(/.test(selector))
      return rows.map((row) => firstBelow(row, selector));
    const cells: (Element | null)[] = new Array(rows.length).fill(null);
    let places: Map<Node, number> | undefined;
    let at = 0;
    for (const element of document.querySelectorAll(selector.replace(/^\s*css=/, ""))) {
      // In document order the cell is almost always in the same row as the last one, or in the next.
      // Looked for from its parent on: a row that matches itself is no cell of its own.
      const parent = element.parentNode;
      if (parent !== null && parent === rows[at + 1]) at += 1;
      else if (!rows[at]?.contains(parent)) {
        if (rows[at + 1]?.contains(parent)) at += 1;
        else {
          places ??= new Map(rows.map((row, index) => [row as Node, index]));
          let above = parent;
          while (above && !places.has(above)) above = above.parentNode;
          if (!above) continue;
          at = places.get(above) as number;
        }
      }
      cells[at] ??= element;
    }
    return cells;
  };

  /** Whether the rows are many, and none is inside of another: then their cells can be looked up all at once. */
  const areApart = (rows: Element[]): boolean => {
    if (rows.length < BY_ROW_BELOW || inShadow) return false;
    for (let index = 1; index < rows.length; index += 1)
      if (rows[index - 1]?.contains(rows[index] as Element)) return false;
    return true;
  };

  /** What a row's siblings have, which no selector reaches from the row itself. */
  const firstBehind = (row: Element, selector: string): Element | null => {
    let number = 1;
    for (let at = row.previousElementSibling; at; at = at.previousElementSibling) number += 1;
    return row.parentElement?.querySelector(`:scope > :nth-child(${number}) ${selector}`) ?? null;
  };

  const firstBelow = (row: Element, selector: string): Element | null => {
    const sibling = /^\s*(?::scope\s*)?([+~][\s\S]*)$/.exec(selector)?.[1];
    if (sibling !== undefined) return firstBehind(row, sibling);
    if (/^\s*(xpath=|\.{0,2}\/|\.\.|\()/.test(selector)) return agent.all(row, selector)[0] ?? null;
    const found = row.querySelector(selector.replace(/^\s*css=/, ""));
    return found || !inShadow ? found : (agent.all(row, selector)[0] ?? null);
  };
  /** Whether the rows being read have anything to do with shadow roots. */
  let inShadow = false;

  agent.readRows = (rows, fields) => {
    inShadow = rows.slice(0, 20).some(hasShadow);
    const texts = agent.textReader(rows.length * fields.length);
    const apart = areApart(rows);
    const columns = fields.map(({ selector, attribute }) =>
      valuesOf(selector === undefined ? rows : cellsOf(rows, selector, apart), attribute, texts),
    );
    return rows.map((_, index) => columns.map((column) => column[index] ?? null));
  };

  const hasShadow = (row: Element): boolean =>
    row.getRootNode() !== document ||
    row.shadowRoot !== null ||
    [...row.querySelectorAll("*")].some((element) => element.shadowRoot !== null);

  const isBlank = (row: Element) =>
    !/[^\s\u200b-\u200d\u2060\ufeff]/.test(row.textContent) && !hasShadow(row);
  const wantTexts = (fields: readonly FieldRequest[]) =>
    fields.some(({ attribute }) => attribute === undefined || attribute === "text");

  agent.areSketches = (rows, fields) =>
    rows.length > 0 && rows.every(isBlank) && wantTexts(fields) && !agent.isStatic();

  agent.withoutSketches = (rows, fields) => {
    const count = rows.findLastIndex((row) => !isBlank(row)) + 1;
    return count < rows.length && agent.areSketches(rows.slice(count), fields) ? rows.slice(0, count) : rows;
  };

  /** What rows hold, links included, to know a page again. */
  const signOf = (rows: Element[], content: string): string => {
    const parts = [content];
    for (const row of rows)
      for (const link of row.querySelectorAll("[href],[src]"))
        parts.push(link.getAttribute("href") ?? "", link.getAttribute("src") ?? "");
    return parts.join("\u0001");
  };

  /** What a list shows, to tell whether it changed. */
  const contentOf = (rows: Element[]): string => rows.map((row) => row.textContent).join("\u0001");

  const remember = (selector: string, rows: Element[], old?: Taken): Taken => {
    const taken = { rows, seen: old?.seen, count: rows.length, cells: "" };
    if (taken.seen) for (const row of rows) taken.seen.add(row);
    lists.set(selector, taken);
    return taken;
  };

  agent.lastTaken = (selector) => lists.get(selector)?.rows;

  /** The rows that came since the list was last taken. In a list that only grew, the old ones aren't looked at. */
  const grown = (rows: Element[], old: Taken | undefined): Element[] => {
    if (!old) return rows;
    const { count } = old;
    if (
      count > 0 &&
      rows.length >= count &&
      rows[0] === old.rows[0] &&
      rows[count - 1] === old.rows[count - 1]
    ) {
      return rows.slice(count);
    }
    // A list that is made anew begins with what it was.
    const isMadeAnew = !old.rows.some((row) => row.isConnected) && rows.length >= count;
    if (isMadeAnew && old.rows.every((row, index) => row.textContent === rows[index]?.textContent))
      return rows.slice(count);
    const seen = old.seen ?? new WeakSet(old.rows);
    old.seen = seen;
    return rows.filter((row) => !seen.has(row));
  };

  const isChanged = (rows: Element[], old: Taken): boolean =>
    rows.length !== old.count ||
    rows.some((row, index) => row !== old.rows[index]) ||
    contentOf(rows) !== old.cells;

  const answer = (state: TakeAnswer["state"], waited: number, more: Partial<TakeAnswer> = {}): string =>
    JSON.stringify({
      state,
      cells: [],
      rest: 0,
      url: location.href,
      sign: "",
      target: null,
      after: "none",
      loading: document.readyState === "loading",
      waited,
      ...more,
    });

  const press = (
    element: Element | null,
    onlyHere = false,
  ): "no_control" | "disabled" | "elsewhere" | "pressed" | "leaving" => {
    if (!element) return "no_control";
    if (agent.isDisabled(element)) return "disabled";
    if (onlyHere && URL.parse(agent.addressOf(element) ?? "", location.href)?.origin !== location.origin)
      return "elsewhere";
    if (element.localName === "link") {
      location.href = (element as HTMLLinkElement).href;
      return globalThis.top === globalThis.self ? "leaving" : "pressed";
    }
    return agent.press(element) ? "leaving" : "pressed";
  };

  /** What keeps it from being pressed is told when it is pressed by itself: the rows must not be lost by it. */
  const tryToPress = (control: Control): Partial<TakeAnswer> => {
    try {
      const element = agent.findControl(control);
      const target = element && agent.addressOf(element);
      const after = press(element, true);
      return { target, after: after === "elsewhere" ? "none" : after };
    } catch {
      return {};
    }
  };

  /** Nothing more can come of a page that is parsed and has no scripts. */
  const isFinal = () =>
    document.readyState === "complete" &&
    agent.isStatic() &&
    !document.querySelector('meta[http-equiv="refresh" i]');

  /** A control that is off while data comes is on again soon after. */
  const usable = async (control: Control, restMs = 0): Promise<void> => {
    const isUsable = () => {
      const element = agent.findControl(control);
      return element !== null && !agent.isDisabled(element);
    };
    const isRead = () => document.readyState !== "loading";
    // The control mostly comes behind the list: a page that is still on its way does not say that there is none.
    if (!isRead()) await agent.until(() => isRead() || isUsable(), restMs);
    if (agent.isStatic()) return;
    // The script that makes it may be on its way, too.
    await agent.until(() => document.readyState === "complete" || isUsable(), SCRIPTS_MS);
    await agent.until(isUsable, BUSY_MS);
  };

  /** Style sheets decide what is visible: they have to be there before text is read. */
  const stylesAreThere = () =>
    [...document.querySelectorAll<HTMLLinkElement>("link[rel~=stylesheet][href]")].every(
      (link) =>
        link.sheet !== null ||
        link.disabled ||
        failedSheets.has(link) ||
        !link.isConnected ||
        link.media === "print",
    );
  const failedSheets = new WeakSet<EventTarget>();
  document.addEventListener("error", (event) => event.target && failedSheets.add(event.target), true);

  const functions = {
    /** Notes how a list stands, so that a later `changed` knows whether it became another. */
    note({ selector }: { selector: string }): void {
      const rows = agent.all(document, selector);
      remember(selector, rows).cells = contentOf(rows);
    },

    async take(request: TakeRequest): Promise<string> {
      const started = performance.now();
      const waited = () => Math.round(performance.now() - started);
      const left = () => Math.max(0, request.waitMs - (performance.now() - started));
      const { selector, fields, part } = request;
      let rows: Element[] = [];
      const look = () => {
        rows = agent.all(document, selector);
        return rows;
      };
      if (document.readyState === "loading") await agent.parsed(() => look().length > 0, request.waitMs);
      const old = lists.get(selector);
      if (part !== "grown") agent.lookForShadowRoots();
      if (request.press) {
        await usable(request.press);
        const pressed = press(agent.findControl(request.press));
        if (pressed === "no_control" || pressed === "disabled") return answer(pressed, 0);
      }
      const isThere = () => {
        look();
        if (part === "grown") return fresh().length > 0;
        if (part === "changed" && old) return rows.length > 0 && isChanged(rows, old);
        return rows.length > 0;
      };
      /** The rows that are asked for; of those that come one after the other, only the ones that are done. */
      const fresh = () => {
        if (part !== "grown") return rows;
        const came = grown(rows, old);
        return request.sketches ? came : agent.withoutSketches(came, fields);
      };
      const waits = !isThere() || !stylesAreThere();
      if (waits && !isThere()) {
        const early =
          agent.layoutIsHeld() &&
          (await agent.until(isThere, Math.min(request.press ? HOLD_PRESSED_MS : HOLD_MS, left())));
        if (!early) {
          agent.releaseLayout();
          await agent.until(() => isThere() || (!old && isFinal()), left());
          if (!isThere()) {
            if (part === "grown" && grown(rows, old).length > 0) return answer("sketch", waited());
            return answer(rows.length > 0 ? "same" : "missing", waited());
          }
        }
      }
      if (!request.sketches && agent.areSketches(rows, fields)) {
        const isDone = () => isThere() && !agent.areSketches(rows, fields);
        if (!(await agent.until(isDone, Math.min(SKETCH_MS, left())))) return answer("sketch", waited());
      }
      if (!stylesAreThere()) await agent.until(stylesAreThere, Math.min(5_000, Math.max(left(), 1_000)));
      if (waits) look();
      const wait = waited();
      let taken = fresh().slice(0, request.limit);
      let cells: (string | null)[][];
      try {
        cells = agent.readRows(taken, fields);
      } catch (error) {
        if (!(error instanceof agent.NotDrawn)) throw error;
        await agent.drawn();
        look();
        taken = fresh().slice(0, request.limit);
        cells = agent.readRows(taken, fields);
      }
      const portion = agent.portion(cells);
      if (portion.oversize) return answer("rows", wait, portion);
      const isPart = part === "grown";
      const known = isPart && !request.sketches ? agent.withoutSketches(rows, fields) : rows;
      const list = remember(selector, known, isPart ? old : undefined);
      // What is known again is also what a press, whoever makes it, has to change.
      if (request.sign) list.cells = contentOf(rows);
      const sign = request.sign ? signOf(taken, list.cells) : "";
      const room = request.limit > taken.length && portion.rest === 0;
      // Where scripts may still have something to say about the list, or not all of it is out, the press is left for later.
      const isSettled = document.readyState !== "loading" && agent.isStatic();
      const pressed = request.pressAfter && room && isSettled ? tryToPress(request.pressAfter) : {};
      return answer("rows", wait, { ...portion, sign, ...pressed });
    },

    /** The fields of the whole page: at least one of them has to be there, as soon as it is. */
    async takePage({ fields, waitMs }: { fields: readonly FieldRequest[]; waitMs: number }): Promise<string> {
      const find = (wanted = fields) =>
        wanted.map((field) =>
          field.selector === undefined ? document.documentElement : agent.first(field.selector),
        );
      const isThere = () => find().some((element) => element !== null);
      const started = performance.now();
      if (document.readyState === "loading")
        await agent.parsed(() => find().every((element) => element !== null), waitMs);
      if (!isThere()) {
        if (!(await agent.until(isThere, Math.min(HOLD_MS, waitMs)))) {
          agent.releaseLayout();
          await agent.until(isThere, Math.max(0, waitMs - (performance.now() - started)));
        }
      }
      const texts = fields.filter((field) => wantTexts([field]));
      const areSketches = () =>
        agent.areSketches(
          find(texts).filter((element) => element !== null),
          texts,
        );
      if (areSketches()) await agent.until(() => !areSketches(), Math.min(SKETCH_MS, waitMs));
      if (!stylesAreThere()) await agent.until(stylesAreThere, 5_000);
      const read = () => {
        const texts = agent.textReader(fields.length);
        const values = find().map(
          (element, index) => valuesOf([element], fields[index]?.attribute, texts)[0] ?? null,
        );
        return agent.portion([values]);
      };
      try {
        return JSON.stringify(read());
      } catch (error) {
        if (!(error instanceof agent.NotDrawn)) throw error;
        await agent.drawn();
        return JSON.stringify(read());
      }
    },

    async pressControl({ onlyHere, restMs, ...control }: ControlRequest): Promise<string> {
      await usable(control, restMs);
      return press(agent.findControl(control), onlyHere);
    },

    /** Where the control leads, as far as it says; null where there is none to press. */
    async controlTarget({ restMs, ...control }: ControlRequest): Promise<{ address: string | null } | null> {
      await usable(control, restMs);
      const element = agent.findControl(control);
      return element && !agent.isDisabled(element) ? { address: agent.addressOf(element) } : null;
    },
  };

  Object.assign(agent, functions);
}
