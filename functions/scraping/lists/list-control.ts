/// <reference lib="dom" />
import { errors } from "playwright-core";
import { RunFailure } from "../../runs/failure.ts";
import { PageChanged } from "../page/page-calls.ts";
import type { ActivityCounts } from "../page/tab.ts";
import type { Control, ControlRequest, ControlTarget, Pressed } from "../page-script/protocol.ts";
import { clickable, findElement } from "../selectors/find-element.ts";
import { isNative } from "../selectors/marked-selectors.ts";
import { badSelector } from "../selectors/selector-failures.ts";
import type { Session } from "../session.ts";
import { within } from "../time-limit.ts";
import type { PageRequest } from "./list-page.ts";

/** How long to wait for the rest of a page whose list is there and whose control is not. */
const REST_MS = 8_000;
/** How long the page script may take beyond its own waits. */
const CALL_MS = 10_000;
/** How long the control is looked for, and how long one action of the browser's own pointer may take. */
const FIND_MS = 500;
const POINTER_MS = 2_000;
const RELEASE_MS = 5_000;

/** What was done to get to the next page. */
export type Advance =
  | { how: "none" }
  | ({
      /** `leaving`: another document is under way. `pressed`: what comes of it is to be seen. */
      how: "pressed" | "leaving";
      /** Whether the browser's own pointer pressed it. */
      trusted: boolean;
      // Documents and requests of the tab before it.
    } & ActivityCounts);

/** The control that shows more of a list. */
export class ListControl {
  readonly #session: Session;
  readonly #request: PageRequest;
  readonly #control: Control;
  /** Whether the page script can find it; otherwise only Playwright can. */
  readonly isNative: boolean;

  constructor(session: Session, request: PageRequest) {
    this.#session = session;
    this.#request = request;
    this.#control = request.pagination as Control;
    const { selector } = this.#control;
    this.isNative = selector === undefined || isNative(selector);
  }

  /** Where the control leads: null where there is none to press, or where the page just changed. */
  async target(): Promise<ControlTarget | null> {
    const target = await this.#call("controlTarget");
    return typeof target === "object" ? target : null;
  }

  /** Whether there is a control that can be pressed. */
  async isThere(): Promise<boolean> {
    return (await this.#call("controlTarget")) !== null;
  }

  /** Presses it as a script does, when politeness allows the page that it leads to. */
  async press(): Promise<Advance> {
    const { tab, politeness } = this.#session;
    const done = politeness.isUnrestricted(tab.page.url()) ? await this.#press(true) : undefined;
    if (done) return done;
    const target = await this.#call("controlTarget");
    if (target === null) return { how: "none" };
    if (typeof target === "object") await this.#admit(target.address);
    return (await this.#press(false)) ?? { how: "none" };
  }

  /**
   * Presses it with the browser's own pointer. As a retry, after a press that changed nothing, whatever keeps it from
   * being pressed means that there is no more; as the first try, a list that goes on must not seem to end.
   * @throws RunFailure when the control is there and can't be pressed
   */
  async pressTrusted(isRetry: boolean): Promise<Advance> {
    const { tab, budget } = this.#session;
    const before = tab.counts();
    const { frame } = this.#request.step;
    const target = { ...this.#control, frame, timeout_ms: FIND_MS };
    try {
      await tab.release(budget.cut(RELEASE_MS));
      const element = await findElement(tab.page, target, clickable, budget);
      if (!(await element.isEnabled({ timeout: budget.cut(POINTER_MS) }))) return { how: "none" };
      if (!isRetry && this.#request.pagination.type === "next_button")
        await this.#admit(await within(budget.cut(POINTER_MS), element.evaluate(addressOfLink)));
      await this.#session.act(() => element.click({ timeout: budget.cut(POINTER_MS) }));
    } catch (error) {
      const code = error instanceof RunFailure ? error.code : undefined;
      if (code === "element_not_found") return { how: "none" };
      const isStuck = error instanceof errors.TimeoutError || code?.startsWith("element_");
      if (isStuck && isRetry) return { how: "none" };
      if (error instanceof errors.TimeoutError) throw stuck(tab.page.url());
      throw error;
    }
    return { how: "pressed", ...before, trusted: true };
  }

  async #press(onlyHere: boolean): Promise<Advance | undefined> {
    const how = await this.#call("pressControl", onlyHere);
    if (how === "elsewhere") return undefined;
    if (how === "no_control" || how === "disabled") return { how: "none" };
    return { how, ...this.#session.tab.atLastCall(), trusted: false };
  }

  /** Waits until the page that a control leads to may be loaded; a script's control does not say which that is. */
  #admit(address: string | null): Promise<void> {
    const { tab, politeness } = this.#session;
    return address === null
      ? politeness.admitUnknown(tab.page.url(), "site")
      : politeness.admit(address, "site");
  }

  #call(name: "pressControl", onlyHere: boolean): Promise<Pressed>;
  #call(name: "controlTarget"): Promise<ControlTarget | null | "pressed" | "leaving">;
  async #call(
    name: "pressControl" | "controlTarget",
    onlyHere = false,
  ): Promise<Pressed | ControlTarget | null> {
    const { tab, budget } = this.#session;
    const { frame } = this.#request.step;
    // A page that was cut off brings nothing more.
    const restMs = tab.main.isCutOff ? 0 : REST_MS;
    const request: ControlRequest = { ...this.#control, onlyHere, restMs };
    try {
      return await tab.call(name, request, { timeout: budget.cut(restMs + CALL_MS), frame });
    } catch (error) {
      if (error instanceof PageChanged) return frame ? "pressed" : "leaving";
      throw badSelector(request.selector === undefined ? [] : [request.selector], error) ?? error;
    }
  }
}

const addressOfLink = (node: Element) => {
  const link = node.closest<HTMLAnchorElement>("a[href]");
  const isOther = link?.href.split("#")[0] !== location.href.split("#")[0];
  return link && isOther && /^https?:/.test(link.href) ? link.href : null;
};

const stuck = (url: string) =>
  new RunFailure(
    "element_covered",
    `The control that shows more of the list on ${url} is there but can't be pressed: something covers it, or it never stops moving. Close what covers it with an optional click step before the list.`,
  );
