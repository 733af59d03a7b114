/// <reference lib="dom" />

import { errors, type Locator } from "playwright-core";
import { RunFailure } from "../../runs/failure.ts";
import { SCROLL } from "../limits.ts";
import { PageChanged } from "../page/page-failures.ts";
import type { PageScript } from "../page-script/index.ts";
import {
  CONTROL_MARK,
  type Control,
  type ControlFit,
  type ControlFound,
  type ControlLook,
  type ControlRequest,
  type PreloadedPage,
} from "../page-script/protocol.ts";
import { scopeOf } from "../selectors/frame-path.ts";
import { isNative, markFound, nameIn } from "../selectors/marked-selectors.ts";
import { badSelector } from "../selectors/selector-failures.ts";
import type { Session } from "../session.ts";
import { tellsObstacle } from "../steps/action.ts";
import { within } from "../time-limit.ts";
import { CALL_MS, POINTER_MS, RELEASE_MS } from "../timing.ts";
import { stuck, unpressable, type Warned, warn, warnMissing } from "./list-failures.ts";
import { declaredSize, isWholeList } from "./size-check.ts";
import type { Advance, ControlOptions, ListRequest } from "./source.ts";

/** What was done to the control. */
type Pressing = Exclude<Advance, { how: "none" }>;
type PressOptions = Pick<ControlRequest, "onlyHere" | "preloaded" | "isOther" | "withView">;

/** The control that shows more of a list. */
export class ListControl {
  readonly #run: Warned;
  readonly #session: Session;
  readonly #request: ListRequest;
  readonly #options: ControlOptions;
  /** Whether the page script can find it; otherwise Playwright marks it first. */
  readonly #isNative: boolean;
  /** How the list's first control was found. */
  #fit: ControlFit | undefined;
  #wasFound: boolean;
  /** Whether another control like the first was looked for. */
  #isOther = false;
  /** How the list was seen before its first press, before each by the pointer, and after those that moved it. */
  readonly #views = new Set<string>();
  /** How many requests the page had started before the first press. */
  #requests: number | undefined;

  constructor(run: Warned) {
    const { session, list } = run;
    const options = list.pagination as ControlOptions;
    this.#run = run;
    this.#session = session;
    this.#request = list;
    this.#options = options;
    this.#isNative = options.selector === undefined || isNative(options.selector);
    this.#wasFound = (list.from?.number ?? 1) > 1;
  }

  get wasFound(): boolean {
    return this.#wasFound;
  }

  /** The control in the form that the page script takes. If only Playwright can find it, it is marked first. */
  async #describe(): Promise<Control> {
    const { selector, field_name: name } = this.#options;
    const { selector: list } = this.#request.step;
    const described: Control = { fit: this.#fit };
    // What stands near values of JSON tells nothing.
    if (list !== undefined && isNative(list)) described.list = list;
    if (selector === undefined) return { ...described, name };
    if (this.#isNative) return { ...described, selector };
    return { ...described, selector: await this.#mark(selector), name: nameIn(selector) };
  }

  /** Where the control leads; null if it states no address, or if there is no control to press. */
  async address(): Promise<string | null> {
    const look = await this.#look();
    return look && !look.isDisabled ? look.address : null;
  }

  /** Whether there is a control that can be pressed. True if the document was just replaced, because it is not known then. */
  async isThere(): Promise<boolean> {
    const look = await this.#look();
    return look === null || (look.fit !== null && !look.isDisabled);
  }

  /** Whether the control is still on the page, but disabled or hidden. */
  async isOff(): Promise<boolean> {
    const look = await this.#look();
    return look?.exists === true && (look.fit === null || look.isDisabled);
  }

  /**
   * Presses it by script, when politeness allows the page that it leads to.
   * @param preloaded the page that it is expected to lead to, where that is loaded already
   */
  async press(preloaded?: PreloadedPage): Promise<Advance> {
    const { tab, politeness } = this.#session;
    const done = politeness.isUnrestricted(tab.page.url())
      ? await this.#press({ onlyHere: true, preloaded })
      : undefined;
    if (done) return done;
    const look = await this.#look();
    if (look && (look.fit === null || look.isDisabled)) return { how: "none" };
    if (look) await this.#admit(look.address);
    return (await this.#press({ preloaded })) ?? { how: "none" };
  }

  /**
   * Presses it with the browser's pointer, once it had the time to take notice of it.
   * @throws RunFailure as `point`
   */
  async pressTrusted(mayBeEnd: boolean): Promise<Advance> {
    const pointed = await this.point("hover", mayBeEnd);
    const isReached = pointed.how === "pressed" && pointed.by === "hover";
    return isReached ? this.point("click", mayBeEnd) : pointed;
  }

  /**
   * Brings the control into view and moves the browser's pointer to it, which lets the scripts of some controls start, or
   * presses it with the pointer. If something covers a link, its address is opened instead.
   * @param mayBeEnd whether a control that can't be pressed may mean the end of the list, because an earlier press had an
   *   effect. Then the run gets a warning
   * @throws RunFailure element_covered if the control can't be pressed
   */
  async point(how: "hover" | "click", mayBeEnd: boolean): Promise<Advance> {
    const { tab, budget } = this.#session;
    const before = tab.counts(this.#request.step.frame);
    const pressed = { how: "pressed", ...before, by: how } as const;
    // Without layout, the list stands nowhere.
    await tab.release(budget.cut(RELEASE_MS));
    const look = await this.#look({ withView: true });
    // The document was just replaced, so an earlier press had an effect after all.
    if (look === null) return { ...pressed, by: "click" };
    if (look.fit === null || look.isDisabled) return { how: "none" };
    const { address, view } = look;
    if (view !== undefined) this.#views.add(view);
    const isPaced = this.#request.pagination.type === "next_button";
    if (isPaced && how === "click") await this.#admit(address);
    const element = scopeOf(tab.page, this.#request.step).locator(`[${CONTROL_MARK}]`).first();
    const reach = (ms: number) =>
      this.#reach(() => element[how]({ timeout: budget.cut(ms), noWaitAfter: true }));
    let obstacle = await reach(address === null ? POINTER_MS.script : POINTER_MS.link);
    // On a busy machine, there may have been no time to find out whether the pointer reaches it.
    if (obstacle === "unknown" && address !== null) obstacle = await reach(CALL_MS);
    if (obstacle === undefined) return pressed;
    if (address !== null && obstacle === "known") {
      if (isPaced && how === "hover") await this.#admit(address);
      await this.#follow(element, address);
      return { ...pressed, by: "click" };
    }
    if (!mayBeEnd) throw stuck(tab.page.url());
    warnMissing(
      this.#run,
      `${unpressable(tab.page.url())} The run has the rows up to that point. Check whether the list continues; if it does, close what covers the control with an optional click step before the list.`,
    );
    return { how: "none" };
  }

  /** Whether a press by script has made the page request something. */
  hasAsked(advance: Pressing): boolean {
    return advance.by === "script" && this.#session.tab.network.started > advance.requests;
  }

  /**
   * Goes on where what was done had no effect on the list. Some controls only react to a real pointer, and some only start to
   * react once it is over them, and then do what was pressed before. Where a press has reached the page and was in vain, the
   * control belongs to something else: another like it is pressed, if the list has not gone on yet. A press that has moved the
   * list is not in vain: a slider may get more slides near its end.
   * @throws RunFailure as `point`
   */
  async goOn(advance: Pressing, isFirst: boolean): Promise<Advance> {
    if (advance.by !== "click" && !this.hasAsked(advance))
      return this.point(advance.by === "script" ? "hover" : "click", !isFirst);
    if (await this.#hasMoved()) return this.press();
    return isFirst && (await this.#hasOther()) ? this.press() : { how: "none" };
  }

  /**
   * Whether the list stands where it did not before, or shows other ones of its rows, and the control can be pressed again.
   */
  async #hasMoved(): Promise<boolean> {
    if (this.#views.size > SCROLL.turns) return false;
    const look = await this.#look({ withView: true });
    if (!look || look.fit === null || look.isDisabled) return false;
    const { view } = look;
    if (view === undefined || this.#views.has(view)) return false;
    this.#views.add(view);
    return true;
  }

  /** Whether there is another control like the first, which is meant from now on. */
  async #hasOther(): Promise<boolean> {
    // A page that draws its buttons anew with each press would have others without end.
    if (this.#isOther) return false;
    this.#isOther = true;
    const look = await this.#look({ isOther: true });
    return look !== null && look.fit !== null && !look.isDisabled;
  }

  /** Uses the pointer. Returns whether it is known what keeps it from the element; undefined: it was reached. */
  async #reach(use: () => Promise<void>): Promise<"known" | "unknown" | undefined> {
    try {
      await this.#session.act((tab) => tab.act(use()));
    } catch (error) {
      if (!(error instanceof errors.TimeoutError)) throw error;
      if (tellsObstacle(error)) return "known";
      if (!/performing (?:click|hover) action/.test(error.message)) return "unknown";
    }
    return undefined;
  }

  /**
   * To be called when a list has ended because no control was found.
   * @throws RunFailure pagination_control_missing if no page had one and the scraper requires it
   */
  async ended(): Promise<void> {
    if (!this.#wasFound) await this.#look();
    if (this.#wasFound) return;
    const message = `Nothing on ${this.#session.tab.page.url()} ${meant(this.#options)}, so the list was read from one page only. Check the pagination against the page; if the list has one page, nothing is wrong.`;
    if (this.#options.required) throw new RunFailure("pagination_control_missing", message);
    if (!(await isWholeList(this.#run))) warn(this.#run, "pagination_control_missing", message);
  }

  /** Warns where no press has had any effect, although the control can still be pressed: it may belong to something else. */
  async checkEffect(): Promise<void> {
    const { network, page, scriptErrors } = this.#session.tab;
    // An error of a script tells more, and is warned of.
    if (scriptErrors.last !== undefined || this.#requests !== network.started) return;
    if (this.#views.size > 1 || (await this.#hasMoved())) return;
    const look = await this.#look();
    if (!look?.isInviting || look.isDisabled || (await isWholeList(this.#run))) return;
    warnMissing(
      this.#run,
      `The control of the list on ${page.url()} can be pressed, but that had no effect. If the list has one page, nothing is wrong. If it has more, the control may belong to something else: give the pagination another name, or a selector.`,
    );
  }

  /** The same for a list that scrolling may have shown completely. It warns only if the page has another button. */
  async scrolledToEnd(): Promise<void> {
    const declared = this.#wasFound ? undefined : await declaredSize(this.#run);
    if (!declared?.moreButton) return;
    warn(
      this.#run,
      "pagination_control_missing",
      `Nothing on ${this.#session.tab.page.url()} ${meant(this.#options)}, but there is a button "${declared.moreButton}" below the list. Check "load_more" in the pagination against the page.`,
    );
  }

  async #press(options: PressOptions): Promise<Advance | undefined> {
    this.#requests ??= this.#session.tab.network.started;
    const answer = await this.#call("pressControl", { ...options, withView: this.#views.size === 0 });
    const { atLastCall } = this.#session.tab;
    if (answer === null) return { how: "leaving", ...atLastCall, by: "script" };
    this.#note(answer);
    const { how, address, view } = answer;
    if (view !== undefined) this.#views.add(view);
    // The control of a slider may scroll it.
    const scrolled = this.#request.pagination.type === "next_button";
    if (how === "pressed") await this.#session.tab.settle({ acted: true, scrolled });
    if (how === "elsewhere") return undefined;
    if (how !== "pressed" && how !== "leaving" && how !== "kept") return { how: "none" };
    return { how, address, ...atLastCall, by: "script" };
  }

  async #look(options: PressOptions = {}): Promise<ControlLook | null> {
    const look = await this.#call("lookAtControl", options);
    if (look) this.#note(look);
    return look;
  }

  /** @throws RunFailure element_ambiguous */
  #note({ exists, fit, name, rivals }: ControlFound): void {
    const { selector, field_name: wanted } = this.#options;
    const url = this.#session.tab.page.url();
    const meant = selector === undefined ? `"${wanted}"` : selector;
    if (rivals.length > 0) {
      throw new RunFailure(
        "element_ambiguous",
        `${rivals.length} controls on ${url} match ${meant} equally well and lead to different places: ${rivals.slice(0, 5).join("; ")}. Give the pagination a selector that matches one of them.`,
      );
    }
    this.#wasFound ||= exists;
    if (fit === null) return;
    this.#fit ??= fit;
    if (fit !== "part") return;
    const message = `No control on ${url} has exactly the name ${meant}; "${name}" was used instead. If that is the right one, set its full name as field_name of the pagination; otherwise, set a selector.`;
    warn(this.#run, "pagination_guessed", message);
  }

  /** Opens the address of a link that the pointer can't reach. */
  async #follow(element: Locator, address: string): Promise<void> {
    const goes = element.evaluate((_, href) => location.assign(href), address);
    await this.#session.act(() => within(this.#session.budget.cut(POINTER_MS.link), goes));
  }

  /** Waits until the page that a control leads to may be loaded. Controls of scripts state no address. */
  #admit(address: string | null): Promise<void> {
    const { tab, politeness } = this.#session;
    return address === null
      ? politeness.admitUnknown(tab.page.url(), "site")
      : politeness.admit(address, "site");
  }

  /** Marks the elements that Playwright finds. @returns the selector of the marks */
  async #mark(selector: string): Promise<string> {
    const { tab, budget } = this.#session;
    await tab.settle();
    await tab.release(budget.cut(RELEASE_MS));
    try {
      const scope = scopeOf(tab.page, this.#request.step);
      return await within(budget.cut(CALL_MS), markFound(scope, selector, "found"));
    } catch (error) {
      throw badSelector([selector], error) ?? error;
    }
  }

  /** Null if the document was just replaced. */
  async #call<K extends "pressControl" | "lookAtControl">(
    name: K,
    options: PressOptions,
  ): Promise<ReturnType<PageScript[K]> | null> {
    const { tab, budget } = this.#session;
    const { frame } = this.#request.step;
    const { selector } = this.#options;
    try {
      const request: ControlRequest = { ...(await this.#describe()), ...options };
      return (await tab.call(name, request, { timeout: budget.cut(CALL_MS), frame, rest: {} })) as ReturnType<
        PageScript[K]
      >;
    } catch (error) {
      if (error instanceof PageChanged) return null;
      throw badSelector(selector === undefined ? [] : [selector], error) ?? error;
    }
  }
}

const meant = ({ selector, field_name: name }: ControlOptions): string =>
  selector === undefined ? `is called "${name}"` : `matches the selector ${selector}`;
