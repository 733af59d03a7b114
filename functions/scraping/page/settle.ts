import { setTimeout as sleep } from "node:timers/promises";
import type { Page } from "playwright-core";
import type { RestState, SettleRequest } from "../page-script/protocol.ts";
import { CallTimeout, within } from "../time-limit.ts";
import type { ChangeSignal } from "./change-signal.ts";
import { type PageClock, PageStuck, Sequence, STUCK_MS } from "./clock.ts";
import { CHAIN_MAX, endlessChain } from "./document.ts";
import type { MainFrame } from "./main-frame.ts";
import type { NetworkActivity } from "./network-activity.ts";
import { PageChanged } from "./page-changed.ts";

/** How much of the page's time passes at once: what a timer does within it is waited for. */
const AHEAD_MS = 5_000;
/** How long nothing may have changed at the end of it, in ms of the page's time. */
const QUIET_MS = 2_000;
/** Time between two frames, in ms. */
const FRAME_MS = 17;
/** The most rounds, and the most real time in ms, until a page counts as restless. */
const ROUNDS = 12;
const MOST_MS = 30_000;
/** The most frames of a page that asks for them without end: numbers may count up for as long. */
const FRAMES = 160;
/** Frames of a new document that asks for one: what a library does in its next frame comes before timers that follow. */
const FIRST_FRAMES = 8;
/** The most frames between two looks. */
const FRAMES_AT_ONCE = 40;
/** How long a request may stop the page's time, in real ms. */
export const PATIENCE_MS = 10_000;
/** Longest wait for a server to begin its answer, in real ms. */
export const NAVIGATION_MS = 30_000;
/** How long a page may take to send the request for a document that it has announced, in real ms. */
const ANNOUNCED_MS = 300;
/** Real time steps for work of the browser, and for workers and channels; how many quiet ones of the latter are enough. */
const WORK_STEP_MS = 10;
const CHANNEL_STEP_MS = 100;
const QUIET_STEPS = 10;
/** The same where the page has asked for something and shown nothing, and where it has asked for nothing. */
const ANSWER_STEPS = 50;
const IDLE = { quiet: 2, missing: 2 };
/** How much real time passes before a page that is at rest is given more of its own, in ms. */
const MORE_MS = 250;
/** The most of these steps. */
const STEPS = 120;
/** How much time a page with WebSockets or event streams may skip in all: their servers expect signs of life. */
const CHANNEL_LEAD_MS = 10_000;

export interface Settled {
  /** Whether the page has changed, or was replaced. */
  hasChanged: boolean;
  /** Whether it still got more elements or data in the end. */
  isGrowing: boolean;
}

interface SettleParts {
  page: Page;
  clock: PageClock;
  network: NetworkActivity;
  main: MainFrame;
  changes: ChangeSignal;
  /** Fires when the page is gone. */
  closed: AbortSignal;
  /** The states of the documents of the page and its frames. @throws PageChanged */
  look: () => Promise<RestState>;
}

/**
 * Lets a page come to rest: runs it forward, in its own time and with frames, until nothing is left that could change it
 * within a few seconds of that time. Nothing else in the engine waits for a page.
 */
export class Settler {
  readonly #parts: SettleParts;
  readonly #turns = new Sequence();
  /** The document that these are about. */
  #document = -1;
  /** Whether frames matter to it: those of others are never drawn. */
  #usesFrames = false;
  /** Whether it asks for frames without end, and whether it changes without end. */
  #isRestless = false;
  #isTicking = false;
  #size = 0;
  /** Whether it is at rest since the last time. */
  #isAtRest = false;
  /** The number of its requests when it last came to rest. */
  #requests = 0;
  #channelLeadMs = 0;
  /** Whether it had the time to be told something by workers and channels. */
  #hasListened = false;

  constructor(parts: SettleParts) {
    this.#parts = parts;
  }

  /** Notes that something may have been done to the page. */
  touch(): void {
    this.#isAtRest = false;
  }

  /**
   * @param patienceMs how long a request may stop the page's time, in real ms
   * @throws PageStuck; RunFailure navigation_failed for a page that keeps navigating
   */
  settle(request: SettleRequest = {}, patienceMs = PATIENCE_MS): Promise<Settled> {
    return this.#turns.run(async () => {
      const settled = await this.#settle(request, patienceMs);
      this.#requests = this.#parts.network.started;
      return settled;
    });
  }

  async #settle({ acted, scrolled, more, early }: SettleRequest, patienceMs: number): Promise<Settled> {
    const { clock, main, network, page } = this.#parts;
    const isNew = () => this.#document !== main.documents;
    if (this.#isAtRest && !acted && !scrolled && !more && !isNew() && !main.isLeaving && !main.isAwaited)
      return { hasChanged: false, isGrowing: false };
    if (early) {
      await this.#followNavigation(patienceMs);
      await this.#load(patienceMs);
      return { hasChanged: true, isGrowing: false };
    }
    this.#isAtRest = false;
    // What takes real time and shows nothing of itself, such as a question to the browser.
    if (more && !clock.realTime) await sleep(MORE_MS);
    network.forgetPolls();
    const started = performance.now();
    const requests = this.#requests;
    let chain = 0;
    let need = scrolled || (acted && this.#usesFrames) ? 1 : 0;
    let [frames, animations] = [0, 0];
    let [hasChanged, isGrowing] = [false, false];
    for (let round = 0; round < ROUNDS && performance.now() - started < MOST_MS; round += 1) {
      try {
        if (await this.#followNavigation(patienceMs)) {
          hasChanged = true;
          need = 0;
        }
        if (isNew()) {
          this.#begin();
          chain += 1;
          if (chain > CHAIN_MAX) throw endlessChain(page.url());
          round = 0;
          // Styles have to be there before they can change, and sizes before they can be observed.
          const state = await this.#load(patienceMs);
          hasChanged = true;
          if (!state) continue;
          if (this.#isFinal(state)) return this.#rest(hasChanged, started);
          animations = state.animations;
          need = state.frames > 0 ? FIRST_FRAMES : state.observes || state.animations > 0 ? 1 : 0;
        }
        for (frames += need; need > 0 && !this.#isLeaving; need -= 1) {
          await clock.frame();
          if (need > 1) await this.#pass(FRAME_MS, patienceMs);
        }
        if (!this.#isLeaving) await this.#pass(this.#aheadMs(), patienceMs);
        if (this.#isLeaving || isNew()) continue;
        const isAsked = !this.#hasListened || network.started > requests;
        const missing = hasChanged ? QUIET_STEPS : ANSWER_STEPS;
        const state = await this.#look(patienceMs, isAsked ? { quiet: QUIET_STEPS, missing } : IDLE);
        this.#hasListened = true;
        hasChanged ||= state.hasChanged;
        if (this.#isFinal(state)) return this.#rest(hasChanged, started);
        this.#usesFrames ||= state.frames > 0 || state.observes || state.animations > 0;
        need = this.#framesFor(state, { round, animations });
        animations = state.animations;
        // A page that changes for ever, such as by a clock, is at rest once it has stopped growing.
        const isTicking = round >= (this.#isTicking ? 0 : 2) && state.size <= this.#size;
        this.#isTicking ||= isTicking && state.quietMs < QUIET_MS;
        isGrowing = round > 0 && state.size > this.#size;
        this.#size = state.size;
        const isLoading = state.isLoading && !network.isHeldForNothing(patienceMs);
        const isBusy = isLoading || state.work > 0 || (state.quietMs < QUIET_MS && !isTicking);
        if (need === 0 && !isBusy) return this.#rest(hasChanged, started);
        if (!isBusy && this.#isTicking && round > 0) break;
        if (frames >= FRAMES || (this.#isRestless && frames > 4 && !isBusy)) {
          this.#isRestless = state.frames > 0;
          break;
        }
      } catch (error) {
        if (!(error instanceof PageChanged)) throw error;
        hasChanged = true;
      }
    }
    return { hasChanged, isGrowing: isGrowing || (hasChanged && network.isStreaming(started)) };
  }

  /** Lets a document load, and as little of its time pass as that takes. Undefined if the page leaves for another one. */
  async #load(patienceMs: number): Promise<RestState | undefined> {
    const { main } = this.#parts;
    const { documents } = main;
    for (let step = 0; step < STEPS; step += 1) {
      await this.#pass(step === 0 ? 1 : WORK_STEP_MS, patienceMs);
      if (main.documents !== documents || this.#isLeaving) return undefined;
      const state = await this.#lookOnce();
      if (!state.isLoading || this.#parts.network.isHeldForNothing(patienceMs)) return state;
    }
    return this.#lookOnce();
  }

  get #isLeaving(): boolean {
    const { main } = this.#parts;
    return main.isLeaving || main.isAwaited;
  }

  #begin(): void {
    this.#document = this.#parts.main.documents;
    this.#usesFrames = false;
    this.#isRestless = false;
    this.#isTicking = false;
    this.#size = 0;
    this.#channelLeadMs = 0;
    this.#hasListened = false;
  }

  #isFinal({ isFinal }: RestState): boolean {
    return isFinal && this.#parts.main.document.headers.refresh === undefined;
  }

  #rest(hasChanged: boolean, started: number): Settled {
    const { network, page } = this.#parts;
    this.#isAtRest = !network.hasChannels && page.workers().length === 0;
    return { hasChanged, isGrowing: hasChanged && network.isStreaming(started) };
  }

  /** How many frames the page needs: for what runs by frames, for animations and their ends, and for observers. */
  #framesFor(state: RestState, { round, animations }: { round: number; animations: number }): number {
    if (state.frames > 0) return this.#isRestless ? 2 : Math.min(FRAMES_AT_ONCE, 2 ** (round + 1));
    if (state.animations > 0) return 3;
    return animations > 0 || (state.observes && state.hasChanged) ? 1 : 0;
  }

  #pass(ms: number, patienceMs: number): Promise<void> {
    const { main, clock } = this.#parts;
    const { documents } = main;
    return clock.pass(ms, () => main.documents !== documents, patienceMs);
  }

  #aheadMs(): number {
    const { network, clock } = this.#parts;
    if (!network.hasChannels || clock.realTime) return AHEAD_MS;
    const left = CHANNEL_LEAD_MS - this.#channelLeadMs;
    this.#channelLeadMs += Math.min(AHEAD_MS, Math.max(0, left));
    return left > 0 ? Math.min(AHEAD_MS, left) : CHANNEL_STEP_MS;
  }

  /** @throws PageChanged, PageStuck */
  async #lookOnce(): Promise<RestState> {
    try {
      const state = await within(STUCK_MS, this.#parts.look());
      if (state.isLoading) this.#parts.network.giveUp();
      return state;
    } catch (error) {
      throw error instanceof CallTimeout ? new PageStuck(error.message) : error;
    }
  }

  /** Waits for the document that the page leaves for. Returns whether it has come. */
  async #followNavigation(patienceMs: number): Promise<boolean> {
    const { main, changes, closed } = this.#parts;
    if (!this.#isLeaving) return false;
    const { documents } = main;
    const started = performance.now();
    const waited = () => performance.now() - started;
    // Addresses such as mailto: lead to no document.
    while (main.isLeaving && !main.isAwaited && waited() < ANNOUNCED_MS)
      await this.#pass(WORK_STEP_MS, patienceMs);
    main.isLeaving = false;
    const isOver = () => !main.isAwaited || main.documents !== documents;
    await changes.until(isOver, NAVIGATION_MS, closed);
    return main.documents !== documents;
  }

  /**
   * Lets workers, channels and work of the browser go on, which take real time.
   * @param steps how many steps without a change are enough, after a change and where there was none
   */
  async #look(patienceMs: number, steps: { quiet: number; missing: number }): Promise<RestState> {
    const { network, page } = this.#parts;
    let state = await this.#lookOnce();
    let { hasChanged } = state;
    let quiet = 0;
    for (let step = 0; step < STEPS; step += 1) {
      const isPending = network.isAsking || network.isReceiving(patienceMs);
      const isOpen = network.hasChannels || page.workers().length > 0;
      if (state.work === 0 && !isPending && (!isOpen || quiet >= (hasChanged ? steps.quiet : steps.missing)))
        break;
      const ms = state.work > 0 ? WORK_STEP_MS : CHANNEL_STEP_MS;
      await sleep(ms);
      await this.#pass(ms, patienceMs);
      state = await this.#lookOnce();
      hasChanged ||= state.hasChanged;
      quiet = state.hasChanged || isPending ? 0 : quiet + 1;
    }
    // In so much real time, less of the page's time has passed.
    return { ...state, hasChanged, ...(quiet > 0 && { quietMs: QUIET_MS }) };
  }
}
