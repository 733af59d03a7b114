import type { CDPSession, Page } from "playwright-core";
import { abortable } from "../../abortable.ts";
import { PAGE_SCRIPT } from "../page-script/protocol.ts";
import { type Scope, scopeOf } from "../selectors/frame-path.ts";
import { isNative, markFound } from "../selectors/marked-selectors.ts";
import { badSelector } from "../selectors/selector-failures.ts";
import { CallTimeout, within } from "../time-limit.ts";
import { CALL_MS } from "../timing.ts";
import type { ChangeSignal } from "./change-signal.ts";
import { changedOr } from "./page-failures.ts";

/**
 * Each isolated world costs every document a few milliseconds: where Playwright has one for itself, the page script
 * shares it. The site's scripts reach neither.
 */
const OWN_WORLD = "gleaner";
const isIsolated = (name: string) => name === OWN_WORLD || name.startsWith("__playwright_utility_world");

/** Calls into the documents of a tab, in the isolated world where the page script is. */
export class PageCalls {
  readonly #page: Page;
  readonly #cdp: CDPSession;
  readonly #changes: ChangeSignal;
  readonly #crashed: AbortSignal;
  /** Ids of the execution contexts, by frame. */
  readonly #contexts = new Map<string, number>();
  /** The name of the isolated world. */
  world = OWN_WORLD;

  constructor(page: Page, cdp: CDPSession, changes: ChangeSignal, crashed: AbortSignal) {
    this.#page = page;
    this.#cdp = cdp;
    this.#changes = changes;
    this.#crashed = crashed;
    cdp.on("Runtime.executionContextCreated", ({ context }) => {
      if (!isIsolated(context.name)) return;
      this.world = context.name;
      this.#contexts.set(String(context.auxData?.frameId), context.id);
      changes.notify();
    });
    cdp.on("Runtime.executionContextDestroyed", ({ executionContextId }) => {
      for (const [frame, id] of this.#contexts) if (id === executionContextId) this.#contexts.delete(frame);
    });
    cdp.on("Runtime.executionContextsCleared", () => this.#contexts.clear());
  }

  /** Sends a command of the DevTools protocol. @throws CallTimeout */
  readonly send: CDPSession["send"] = (method, params) =>
    this.#bounded(CALL_MS, this.#cdp.send(method, params));

  /** Other frames than one, each with its execution context. */
  contextsBeside(frame: string): [frame: string, contextId: number][] {
    return [...this.#contexts].filter(([id]) => id !== frame);
  }

  /** The execution context of a frame, once its document has one. @throws CallTimeout */
  async contextOf(frame: string, timeout: number): Promise<number> {
    let context: number | undefined;
    const isThere = () => {
      context = this.#contexts.get(frame);
      return context !== undefined;
    };
    await this.#changes.until(isThere, timeout, this.#crashed);
    if (context === undefined) throw new CallTimeout("the page has no document to look into");
    return context;
  }

  /** @throws PageChanged when the document goes away meanwhile */
  async evaluate<T>(contextId: number, expression: string): Promise<T> {
    try {
      const { result, exceptionDetails } = await abortable(
        this.#cdp.send("Runtime.evaluate", {
          contextId,
          expression,
          awaitPromise: true,
          returnByValue: true,
          userGesture: true,
        }),
        this.#crashed,
      );
      if (exceptionDetails) {
        throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
      }
      return result.value as T;
    } catch (error) {
      throw changedOr(error);
    }
  }

  /**
   * The id of the frame that an iframe element shows; undefined where there is none.
   * @param path the selectors of the frames inside each other, from the outermost on
   * @throws RunFailure invalid_step
   */
  async frameOf(path: readonly string[], mainFrame: string): Promise<string | undefined> {
    let frame: string | undefined = mainFrame;
    for (const [depth, selector] of path.entries())
      frame =
        frame && (await this.#frameIn(frame, selector, scopeOf(this.#page, { frame: path.slice(0, depth) })));
    return frame;
  }

  async #frameIn(frame: string, selector: string, scope: Scope): Promise<string | undefined> {
    const element = `${PAGE_SCRIPT}.frameElement(${JSON.stringify(await this.#nativeFor(selector, scope))})`;
    try {
      return await this.frameShownBy(element, frame);
    } catch (error) {
      throw badSelector([selector], error) ?? error;
    }
  }

  /**
   * The id of the frame that an element shows; undefined where there is none.
   * @param element an expression for the element, in the document of the frame `around`
   */
  async frameShownBy(element: string, around: string): Promise<string | undefined> {
    const contextId = await this.contextOf(around, CALL_MS);
    const { result, exceptionDetails } = await this.send("Runtime.evaluate", {
      contextId,
      expression: element,
    });
    if (exceptionDetails) throw new Error(exceptionDetails.exception?.description);
    const { objectId } = result;
    return objectId && (await this.send("DOM.describeNode", { objectId })).node.frameId;
  }

  /** A selector for the same frame that the page script can evaluate. */
  async #nativeFor(selector: string, scope: Scope): Promise<string> {
    if (isNative(selector)) return selector;
    try {
      return await this.#bounded(CALL_MS, markFound(scope, selector, "frame"));
    } catch (error) {
      throw badSelector([selector], error) ?? error;
    }
  }

  #bounded<T>(ms: number, answer: Promise<T>): Promise<T> {
    return abortable(within(ms, answer), this.#crashed);
  }
}
