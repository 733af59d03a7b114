import type { CDPSession } from "playwright-core";
import type { FramePath } from "../../contract/steps/action-steps.ts";
import type { OnStage } from "../../stages.ts";
import { FRAMES_MAX } from "../limits.ts";
import type { PageScript } from "../page-script/index.ts";
import { PAGE_SCRIPT } from "../page-script/protocol.ts";
import {
  type HostMessage,
  type RestState,
  SETTLE_BINDING,
  type SettleRequest,
} from "../page-script/rest-protocol.ts";
import { CallTimeout, within } from "../time-limit.ts";
import { CALL_LOOK_MS, CALL_MS, STUCK_MS } from "../timing.ts";
import { PageStuck } from "./clock.ts";
import type { NetworkActivity } from "./network/network-activity.ts";
import type { PageCalls } from "./page-calls.ts";
import type { Settled, Settler } from "./settle.ts";

export interface CallOptions {
  /** How long the page may take, beside the time in which it comes to rest, in real ms. */
  timeout: number;
  /** The selector of the frame; absent: the main frame. */
  frame?: FramePath | undefined;
  /** How long a request may keep the page from coming to rest, in real ms; absent: as long as settling allows. */
  patienceMs?: number | undefined;
  /** Called whenever the page has come to rest within the call. */
  onRest?: (() => Promise<void>) | undefined;
  /** For how long rows may be brought into view within the call, in real ms. */
  showMs?: (() => number) | undefined;
  /** How the page comes to rest before the call; absent: the call does not need that. */
  rest?: RestRequest | undefined;
}

type Answer<K extends keyof PageScript> = Awaited<ReturnType<PageScript[K]>>;

/** How a page comes to rest before a call. */
interface RestRequest extends Pick<SettleRequest, "early"> {
  /** The selector of the list that is about to be read. */
  list?: string | undefined;
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
  network: NetworkActivity;
  /** The id of the main frame. */
  mainFrame: () => string;
  /** Called when the page has come to rest for the first time within a call. */
  onFirstRest: () => void;
  /** Called when the page script is about to press something. */
  onPressing: () => void;
}

/** Calls of functions of the page script, which may ask the engine to let the page come to rest. */
export class ScriptCalls {
  readonly #parts: ScriptCallsParts;
  /** The list that is about to be read, and the frame that it is in. */
  #expected: { list: string; frame: string } | undefined;
  #calling: Calling | undefined;
  /** How long the page took to come to rest while something was read, in ms. */
  #settledMs = 0;
  /** Whether the page still grew when it came to rest within the last call. */
  isGrowing = false;
  /** How often the page had changed when it came to rest. */
  timesChanged = 0;
  /** Whether the list that was about to be read was there at any look since this was last reset. */
  hadList = false;

  constructor(cdp: Pick<CDPSession, "on">, parts: ScriptCallsParts) {
    this.#parts = parts;
    cdp.on("Runtime.bindingCalled", ({ name, payload, executionContextId }) => {
      if (name !== SETTLE_BINDING) return;
      const message: HostMessage = JSON.parse(payload);
      if (message === "pressing") parts.onPressing();
      else void this.#settleFor(message, executionContextId);
    });
  }

  /** @throws PageChanged when the document goes away meanwhile; CallTimeout, PageStuck */
  async call<K extends keyof PageScript>(
    frame: string,
    name: K,
    args: Parameters<PageScript[K]>[0] | null,
    { timeout, patienceMs, onRest, showMs, rest }: CallOptions,
  ): Promise<Answer<K>> {
    const { calls } = this.#parts;
    const expression = `${PAGE_SCRIPT}.${name}(${JSON.stringify(args)})`;
    // If the document goes away while it comes to rest, it has no answer.
    const contextId = await calls.contextOf(frame, timeout);
    const call = () => calls.evaluate<Answer<K>>(contextId, expression);
    this.isGrowing = false;
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
    const looking = setInterval(look, Math.min(CALL_LOOK_MS, timeout));
    looking.unref();
    let stopping: NodeJS.Timeout | undefined;
    const stop = () => void calls.evaluate(contextId, `${PAGE_SCRIPT}.stopShowing()`).catch(() => {});
    try {
      if (rest) await this.#restBefore(calling, rest, frame);
      if (showMs) stopping = setTimeout(stop, showMs());
      const answer = call();
      answer.catch(() => {});
      return await Promise.race([answer, failure.promise]);
    } finally {
      clearInterval(looking);
      clearTimeout(stopping);
      if (this.#calling === calling) this.#calling = undefined;
    }
  }

  /** Reports how long it took to read something, and how long the page took to come to rest meanwhile. */
  async timed<T>(onStage: OnStage | undefined, read: () => Promise<T>): Promise<T> {
    const started = performance.now();
    this.#settledMs = 0;
    try {
      return await read();
    } finally {
      onStage?.("settled", this.#settledMs);
      onStage?.("read", performance.now() - started - this.#settledMs);
    }
  }

  /** The states of all documents together. @throws PageChanged, PageStuck */
  async look(): Promise<RestState> {
    try {
      const state = await within(STUCK_MS, this.#look());
      return { ...state, isLoading: state.isLoading && this.#parts.network.giveUp() };
    } catch (error) {
      throw error instanceof CallTimeout ? new PageStuck(error.message) : error;
    }
  }

  async #look(): Promise<RestState> {
    const { calls, mainFrame } = this.#parts;
    const lookInto = async (frame: string, contextId: number): Promise<RestState> => {
      const list = this.#expected?.frame === frame ? this.#expected.list : undefined;
      const expression = `JSON.stringify(${PAGE_SCRIPT}.state(${JSON.stringify(list)}))`;
      return JSON.parse(await calls.evaluate<string>(contextId, expression));
    };
    const state = await lookInto(mainFrame(), await calls.contextOf(mainFrame(), CALL_MS));
    const others = calls.contextsBeside(mainFrame());
    // Of more frames, the timers are not known.
    if (others.length > FRAMES_MAX) state.timerMs = 0;
    // A frame may be gone.
    const looks = others
      .slice(0, FRAMES_MAX)
      .map(([frame, id]) => lookInto(frame, id).catch(() => undefined));
    const states = await Promise.all(looks);
    const all = states.reduce<RestState>((all, one) => (one ? together(all, one) : all), state);
    this.hadList ||= all.hasList;
    return all;
  }

  async #restBefore(calling: Calling, { list, early }: RestRequest, frame: string): Promise<void> {
    this.#expected = list === undefined ? undefined : { list, frame };
    try {
      await this.#settle(calling, { early });
    } finally {
      this.#expected = undefined;
    }
  }

  /** Lets the page come to rest because the page script asks for that within a call. */
  async #settleFor(request: SettleRequest, contextId: number): Promise<void> {
    const calling = this.#calling;
    if (!calling) return;
    try {
      await this.#settle(calling, request);
      await this.#parts.calls.evaluate(contextId, `${PAGE_SCRIPT}.settled()`);
    } catch (error) {
      calling.fail(error);
    }
  }

  /** Lets the page come to rest. @throws PageStuck */
  async settle(request: SettleRequest, patienceMs?: number): Promise<Settled> {
    const started = performance.now();
    try {
      const settled = await this.#parts.settler.settle(request, patienceMs);
      if (settled.hasChanged) this.timesChanged += 1;
      return settled;
    } finally {
      this.#settledMs += performance.now() - started;
    }
  }

  async #settle(calling: Calling, request: SettleRequest): Promise<void> {
    calling.isSettling = true;
    try {
      const { isGrowing } = await this.settle(request, calling.patienceMs);
      this.isGrowing ||= isGrowing;
      await calling.onRest?.();
      if (!calling.hasRested) this.#parts.onFirstRest();
      calling.hasRested = true;
    } finally {
      calling.isSettling = false;
      calling.restedAt = performance.now();
    }
  }
}

/** The state of two documents. */
const together = (one: RestState, other: RestState): RestState => ({
  isFinal: one.isFinal && other.isFinal,
  isLoading: one.isLoading || other.isLoading,
  hasChanged: one.hasChanged || other.hasChanged,
  hasOtherContent: one.hasOtherContent || other.hasOtherContent,
  size: one.size + other.size,
  quietMs: Math.min(one.quietMs, other.quietMs),
  frames: one.frames + other.frames,
  observes: one.observes + other.observes,
  work: one.work + other.work,
  asked: one.asked + other.asked,
  // The pointer is moved on the page, not in its frames.
  moves: one.moves,
  wheels: one.wheels,
  animations: one.animations + other.animations,
  timerMs: Math.min(one.timerMs, other.timerMs),
  hasList: one.hasList || other.hasList,
});
