import type { CDPSession } from "playwright-core";
import type { OnStage } from "../../stages.ts";
import type { PageScript } from "../page-script/index.ts";
import { PAGE_SCRIPT, type RestState, SETTLE_BINDING, type SettleRequest } from "../page-script/protocol.ts";
import { CallTimeout, within } from "../time-limit.ts";
import { CALL_TIMEOUT_MS, type PageCalls } from "./page-calls.ts";
import type { Settler } from "./settle.ts";

/** How often a call is looked at, in ms. */
const LOOK_MS = 100;
/** The most frames of a page whose states are looked at. */
const FRAMES_MAX = 10;

export interface CallOptions {
  /** How long the page may take, beside the time in which it comes to rest, in real ms. */
  timeout: number;
  /** The selector of the frame; absent: the main frame. */
  frame?: string | undefined;
  /** How long a request may keep the page from coming to rest, in real ms; absent: as long as settling allows. */
  patienceMs?: number | undefined;
  /** Called whenever the page has come to rest within the call. */
  onRest?: (() => Promise<void>) | undefined;
  /** Whether the call is made while another one is under way. */
  isBeside?: boolean;
  /** Whether the call may press something. */
  presses?: boolean | undefined;
  /** Whether the frame is looked for before the page has come to rest. */
  isEarly?: boolean | undefined;
}

/** A call that is under way. */
interface Calling extends Pick<CallOptions, "patienceMs" | "onRest"> {
  /** When the page last came to rest within it. */
  restedAt: number;
  isSettling: boolean;
  hasRested: boolean;
  fail(error: unknown): void;
}

interface ScriptCallsParts {
  calls: PageCalls;
  settler: Settler;
  /** The id of the main frame. */
  mainFrame: () => string;
  /** Called when the page has come to rest for the first time within a call. */
  onFirstRest: () => void;
}

/** Calls of functions of the page script, which may ask the engine to let the page come to rest. */
export class ScriptCalls {
  readonly #parts: ScriptCallsParts;
  #calling: Calling | undefined;
  /** How long the page took to come to rest within the last call, in ms. */
  #settledMs = 0;
  /** Whether the page still grew when it came to rest within the last call. */
  isGrowing = false;
  /** Whether the list that was about to be read was there at any look since this was last reset. */
  hadList = false;

  constructor(cdp: Pick<CDPSession, "on">, parts: ScriptCallsParts) {
    this.#parts = parts;
    cdp.on("Runtime.bindingCalled", ({ name, payload, executionContextId }) => {
      if (name === SETTLE_BINDING) void this.#settleFor(JSON.parse(payload), executionContextId);
    });
  }

  /** @throws PageChanged when the document goes away meanwhile; CallTimeout, PageStuck */
  async call<K extends keyof PageScript>(
    contextId: number,
    name: K,
    args: Parameters<PageScript[K]>[0] | null,
    { timeout, isBeside = false, patienceMs, onRest }: CallOptions,
  ): Promise<Awaited<ReturnType<PageScript[K]>>> {
    const expression = `${PAGE_SCRIPT}.${name}(${JSON.stringify(args)})`;
    const answer = this.#parts.calls.evaluate<Awaited<ReturnType<PageScript[K]>>>(contextId, expression);
    if (isBeside) return within(timeout, answer);
    this.isGrowing = false;
    this.#settledMs = 0;
    answer.catch(() => {});
    const failure = Promise.withResolvers<never>();
    failure.promise.catch(() => {});
    const calling: Calling = {
      patienceMs,
      onRest,
      restedAt: performance.now(),
      isSettling: false,
      hasRested: false,
      fail: failure.reject,
    };
    this.#calling = calling;
    const look = () => {
      if (!calling.isSettling && performance.now() - calling.restedAt > timeout)
        calling.fail(new CallTimeout(`no answer from the page within ${timeout} ms`));
    };
    const looking = setInterval(look, Math.min(LOOK_MS, timeout));
    looking.unref();
    try {
      return await Promise.race([answer, failure.promise]);
    } finally {
      clearInterval(looking);
      if (this.#calling === calling) this.#calling = undefined;
    }
  }

  /** Reports how long it took to read something by a call, and how long the page took to come to rest within it. */
  async timed<T>(onStage: OnStage | undefined, read: () => Promise<T>): Promise<T> {
    const started = performance.now();
    try {
      return await read();
    } finally {
      onStage?.("settled", this.#settledMs);
      onStage?.("read", performance.now() - started - this.#settledMs);
    }
  }

  /** The states of all documents together. @throws PageChanged */
  async look(): Promise<RestState> {
    const { calls, mainFrame } = this.#parts;
    const expression = `JSON.stringify(${PAGE_SCRIPT}.state())`;
    const lookInto = async (contextId: number): Promise<RestState> =>
      JSON.parse(await calls.evaluate<string>(contextId, expression));
    const state = await lookInto(await calls.contextOf(mainFrame(), CALL_TIMEOUT_MS));
    const others = calls.contextsBeside(mainFrame()).slice(0, FRAMES_MAX);
    // A frame may be gone.
    const states = await Promise.all(others.map((id) => lookInto(id).catch(() => undefined)));
    const all = states.reduce<RestState>((all, one) => (one ? together(all, one) : all), state);
    this.hadList ||= all.hasList;
    return all;
  }

  /** Lets the page come to rest within a call. */
  async #settleFor(request: SettleRequest, contextId: number): Promise<void> {
    const { calls, settler, onFirstRest } = this.#parts;
    const calling = this.#calling;
    if (!calling) return;
    calling.isSettling = true;
    const started = performance.now();
    try {
      const { isGrowing } = await settler.settle(request, calling.patienceMs);
      this.isGrowing ||= isGrowing;
      await calling.onRest?.();
      if (!calling.hasRested) onFirstRest();
      calling.hasRested = true;
      await calls.evaluate(contextId, `${PAGE_SCRIPT}.settled()`);
    } catch (error) {
      calling.fail(error);
    } finally {
      calling.isSettling = false;
      calling.restedAt = performance.now();
      this.#settledMs += calling.restedAt - started;
    }
  }
}

/** The state of two documents. */
const together = (one: RestState, other: RestState): RestState => ({
  isFinal: one.isFinal && other.isFinal,
  isLoading: one.isLoading || other.isLoading,
  hasChanged: one.hasChanged || other.hasChanged,
  size: one.size + other.size,
  quietMs: Math.min(one.quietMs, other.quietMs),
  frames: one.frames + other.frames,
  observes: one.observes || other.observes,
  work: one.work + other.work,
  animations: one.animations + other.animations,
  hasList: one.hasList || other.hasList,
});
