import { setTimeout as sleep } from "node:timers/promises";
import type { Page } from "playwright-core";
import { NO_TIMER, type RestState, type SettleRequest } from "../page-script/rest-protocol.ts";
import {
  ACT_GAP_MS,
  ACTED_FRAMES,
  AHEAD_MS,
  ANNOUNCED_MS,
  ANSWER_STEPS,
  CHANNEL_LEAD_MS,
  CHANNEL_STEP_MS,
  CUT_OFF_MS,
  FIRST_FRAMES,
  FRAME_MS,
  FRAMES,
  FRAMES_AT_ONCE,
  IDLE_AHEAD_MS,
  IDLE_STEPS,
  MORE_MS,
  MOST_MS,
  NAVIGATION_MS,
  PATIENCE_MS,
  QUIET_MS,
  QUIET_STEPS,
  REAL_FRAME_MS,
  REQUEST_MS,
  ROUNDS,
  SHOWING_FRAMES,
  STEPS,
  WORK_STEP_MS,
} from "../timing.ts";
import type { ChangeSignal } from "./change-signal.ts";
import { type PageClock, Sequence } from "./clock.ts";
import { assertEnding } from "./document.ts";
import type { ChildFrames } from "./frame-document.ts";
import type { MainFrame } from "./main-frame.ts";
import type { NetworkActivity } from "./network/network-activity.ts";
import { PageChanged, unlessChanged } from "./page-failures.ts";

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
  frames: Pick<ChildFrames, "mayRefresh">;
  changes: ChangeSignal;
  /** Fires when the page is gone. */
  closed: AbortSignal;
  /** The states of the documents of the page and its frames. @throws PageChanged, PageStuck */
  look: () => Promise<RestState>;
  /** Gives the page the first signs of a person that it listens to. @throws PageChanged */
  showPerson: (listened: Pick<RestState, "wheels">) => Promise<void>;
  /** Called with how much of the page's time has passed, in ms, once the page is at rest. */
  onPassed: (ms: number) => Promise<void>;
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
  #last: typeof UNKNOWN = UNKNOWN;
  /** How often it had begun to observe something when its last frame was drawn. */
  #told = 0;
  /** How much of its time had passed when it was last seen to have changed, in ms. */
  #changedMs = 0;
  /** Whether it has changed while real time passed. */
  #hasChangedMeanwhile = false;
  /** Whether it is at rest since the last time. */
  #isAtRest = false;
  /** The number of its requests when it last came to rest. */
  #requests = 0;
  #channelLeadMs = 0;
  /** Whether it had the time to be told something by workers and channels. */
  #hasListened = false;
  /** Whether it was at rest before: then it has had the first signs of a person. */
  #hasRested = false;
  /** What it had asked of workers when it last had that time. */
  #asked = 0;

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
      const { clock, network, onPassed } = this.#parts;
      const before = clock.jumpedMs;
      const settled = await this.#settle(request, patienceMs);
      this.#requests = network.started;
      await onPassed(clock.jumpedMs - before);
      return settled;
    });
  }

  async #settle({ acted, scrolled, more, early }: SettleRequest, patienceMs: number): Promise<Settled> {
    const { main, network, page } = this.#parts;
    if (this.#isAtRest && !acted && !scrolled && !more && !this.#isNew && !main.isLeaving && !main.isAwaited)
      return { hasChanged: false, isGrowing: false };
    if (early) {
      await this.#followNavigation(patienceMs);
      await this.#load(patienceMs);
      return { hasChanged: true, isGrowing: false };
    }
    this.#isAtRest = false;
    // What takes real time and shows nothing of itself, such as a question to the browser.
    if (more) await sleep(MORE_MS);
    network.forgetPolls();
    if (scrolled) network.acted();
    const run = beginRun(this.#requests, patienceMs, acted);
    if (more) run.aheadMs = NO_TIMER - 1;
    if (acted || scrolled) run.leastMs = ACT_GAP_MS;
    if (scrolled || (acted && this.#usesFrames)) run.need = acted && this.#isRestless ? ACTED_FRAMES : 1;
    for (; run.round < ROUNDS && run.waitedMs < MOST_MS; run.round += 1) {
      try {
        const end = await this.#advance(run);
        if (end && (await this.#showPerson(run))) continue;
        if (end === "rest") {
          this.#isAtRest = !network.hasChannels && page.workers().length === 0;
          run.isGrowing = false;
        }
        if (end) break;
      } catch (error) {
        if (!(error instanceof PageChanged)) throw error;
        run.hasChanged = true;
      }
    }
    // In real time, the next scroll would come sooner.
    if (this.#parts.clock.isReal && scrolled && !run.hasChanged && !this.#isLeaving)
      await this.#pass(ACT_GAP_MS, run.patienceMs, { isIdle: async () => false });
    const isStreaming = run.hasChanged && network.isStreaming(run.started);
    return { hasChanged: run.hasChanged, isGrowing: run.isGrowing || isStreaming };
  }

  get #isNew(): boolean {
    return this.#document !== this.#parts.main.number;
  }

  /** Lets the page go on by one round. Returns how it has ended: the page is at rest, or it never will be. */
  async #advance(run: Run): Promise<"rest" | "restless" | undefined> {
    if (await this.#followNavigation(run.patienceMs)) {
      run.hasChanged = true;
      run.need = 0;
    }
    if (this.#isNew) {
      const state = await this.#begin(run);
      if (!state) return undefined;
      if (this.#isFinal(state)) return "rest";
    }
    if (run.isActed && !this.#isLeaving) {
      run.isActed = false;
      const { hasChanged, observes } = await this.#lookAtOnce(run);
      if (hasChanged && observes > 0) run.need ||= 1;
    }
    run.hasDrawn = false;
    run.hasDrawnContent = false;
    if (run.need > 0) await this.#draw(run);
    if (!this.#isLeaving) {
      const { clock, network } = this.#parts;
      const before = clock.passedMs;
      const ms = this.#aheadMs();
      run.wasIdle = !this.#isAwaiting(run);
      const { ended } = network;
      await this.#pass(ms, run.patienceMs, run.wasIdle ? { usefulMs: Math.min(ms, run.leastMs) } : {});
      run.hasUsedUp = 2 * REQUEST_MS * (network.ended - ended) >= run.leastMs;
      run.leastMs = IDLE_AHEAD_MS;
      // While real time passes, frames are drawn.
      if (clock.isReal) run.frames += Math.floor((clock.passedMs - before) / (2 * REAL_FRAME_MS));
    }
    return this.#isLeaving || this.#isNew ? undefined : this.#judge(run);
  }

  /** Whether the page has just got the first signs of a person, which only a document that listens to them gets, once. */
  async #showPerson(run: Run): Promise<boolean> {
    if (this.#hasRested) return false;
    this.#hasRested = true;
    if (this.#last.moves + this.#last.wheels === 0) return false;
    await this.#parts.showPerson(this.#last);
    run.round = 0;
    return true;
  }

  /** Lets a new document load. Styles have to be there before they can change, and sizes before they can be observed. */
  async #begin(run: Run): Promise<RestState | undefined> {
    const { main, page } = this.#parts;
    this.#document = main.number;
    this.#usesFrames = false;
    this.#isRestless = false;
    this.#isTicking = false;
    this.#channelLeadMs = 0;
    this.#hasListened = false;
    this.#hasRested = false;
    this.#told = 0;
    run.documents += 1;
    assertEnding(run.documents, page.url());
    run.round = 0;
    run.leastMs = IDLE_AHEAD_MS;
    // What was done was done to the document before.
    run.isActed = false;
    run.hasChanged = true;
    const state = await this.#load(run.patienceMs);
    if (!state) return undefined;
    this.#size = state.size;
    run.animations = state.animations;
    run.need = state.frames > 0 ? FIRST_FRAMES : Number(state.observes + state.animations > 0);
    return state;
  }

  /** Draws the frames that the page needs. What asks for another one in its first frames gets that in time. */
  async #draw(run: Run): Promise<void> {
    for (;;) {
      this.#told = this.#last.observes;
      for (run.frames += run.need; run.need > 0 && !this.#isLeaving; run.need -= 1) {
        await this.#parts.clock.frame();
        if (run.need > 1) await this.#pass(FRAME_MS, run.patienceMs);
      }
      if (this.#isLeaving || this.#isNew) return;
      const { hasChanged, hasOtherContent, frames } = await this.#lookAtOnce(run);
      run.hasDrawn ||= hasChanged;
      run.hasDrawnContent ||= hasOtherContent;
      if (frames === 0 || run.frames >= FIRST_FRAMES) return;
      run.need = FIRST_FRAMES - run.frames;
      await this.#pass(FRAME_MS, run.patienceMs);
    }
  }

  /** Notes what has begun that may be over after a pass: the end of an animation is told in a frame. */
  async #lookAtOnce(run: Run): Promise<RestState> {
    const state = await this.#state();
    run.hasChanged ||= state.hasChanged;
    run.animations = state.animations;
    return state;
  }

  /** Looks at the page, and tells what it needs. */
  async #judge(run: Run): Promise<"rest" | "restless" | undefined> {
    const { network, main } = this.#parts;
    const state = await this.#look(run);
    this.#hasListened = true;
    run.hasChanged ||= state.hasChanged;
    const isAwaiting = this.#isAwaiting(run);
    // What it waits for since its time passed had none yet, nor had what uses answers if requests have taken all of it.
    const isEarly = run.wasIdle && (isAwaiting || run.hasUsedUp);
    // What handles a press may set a timer.
    if (this.#isFinal(state) && !isEarly) return "rest";
    this.#usesFrames ||= state.frames + state.observes + state.animations > 0;
    run.need = this.#framesFor(state, run);
    run.animations = state.animations;
    const isQuiet = !isAwaiting || state.quietMs >= QUIET_MS;
    // A page that changes for ever, such as by a clock, is at rest once it has stopped growing.
    const isTicking = run.round >= (this.#isTicking ? 0 : 2) && state.size <= this.#size;
    this.#isTicking ||= isTicking && !isQuiet;
    const hasGrown = state.size > this.#size;
    run.isGrowing = run.round > 0 && hasGrown;
    this.#size = state.size;
    const isChanging = (state.isLoading && !main.isCutOff) || (!isQuiet && !isTicking);
    // The page has shown what it got, so that what it requests again and again is no poll.
    const isFed = hasGrown && network.forgetPolls();
    // Of a page that asks for frames without end, what is still shown by them is waited for.
    const isShowing = this.#isRestless && run.hasDrawnContent && run.frames < SHOWING_FRAMES;
    const isBusy = isChanging || isEarly || isFed || isShowing || state.work > 0;
    if (run.need === 0 && !isBusy) return "rest";
    // Something may count frames, and wait for some time afterwards.
    const hasFrames = state.frames === 0 || run.frames >= FIRST_FRAMES;
    if (!isBusy && hasFrames && this.#isTicking && run.round > 0) return "restless";
    const most = run.hasDrawnContent ? SHOWING_FRAMES : FRAMES;
    if (run.frames < most && !(!isBusy && hasFrames && this.#isRestless)) return undefined;
    this.#isRestless = state.frames > 0;
    return "restless";
  }

  /** Lets a document load, and as little of its time pass as that takes. Undefined if the page leaves for another one. */
  async #load(patienceMs: number): Promise<RestState | undefined> {
    const { main } = this.#parts;
    const { number } = main;
    let waitedMs = 0;
    for (let step = main.isArriving ? 1 : 0; ; step += 1) {
      if (step > 0) await this.#pass(step === 1 ? 1 : WORK_STEP_MS, patienceMs);
      if (main.number !== number || this.#isLeaving) return undefined;
      const state = await this.#state();
      if (!state.isLoading || waitedMs > (main.isCutOff ? CUT_OFF_MS : MOST_MS)) return state;
      // Answers reach the parser in real time.
      if (step <= 1) continue;
      await sleep(WORK_STEP_MS);
      waitedMs += WORK_STEP_MS;
    }
  }

  get #isLeaving(): boolean {
    const { main } = this.#parts;
    return main.isLeaving || main.isAwaited;
  }

  #isFinal({ isFinal }: RestState): boolean {
    return isFinal && !this.#mayRefresh;
  }

  /** How many frames the page needs: for what runs by frames, for animations and their ends, and for observers. */
  #framesFor(state: RestState, { round, animations, hasDrawn, hasDrawnContent }: Run): number {
    const isRestless = this.#isRestless && !hasDrawnContent;
    if (state.frames > 0) return isRestless ? FIRST_FRAMES : Math.min(FRAMES_AT_ONCE, 2 ** (round + 3));
    if (state.animations > 0) return 3;
    const isTold = state.observes > (state.hasChanged || hasDrawn ? 0 : this.#told);
    return animations > 0 || isTold ? 1 : 0;
  }

  #pass(
    ms: number,
    patienceMs: number,
    { isIdle = () => this.#isIdle(), usefulMs = ms } = {},
  ): Promise<void> {
    const { main, clock } = this.#parts;
    const { number } = main;
    const passing = { isOver: () => main.number !== number, isIdle, usefulMs };
    return clock.pass(ms, passing, patienceMs);
  }

  /** Whether something of its own is to change the page, as it was when it was last looked at. */
  #isAwaiting({ aheadMs }: Pick<Run, "aheadMs">): boolean {
    const { timerMs, frames, animations, work } = this.#last;
    return timerMs <= aheadMs || frames + animations + work > 0 || this.#mayRefresh;
  }

  /** Whether the answer of a document says when to load another one. */
  get #mayRefresh(): boolean {
    const { main, frames } = this.#parts;
    return main.mayRefresh || frames.mayRefresh;
  }

  /** Whether the page waits for nothing: no timer, no frame, no work of the browser, and no document that takes its place. */
  async #isIdle(): Promise<boolean> {
    const { clock, look } = this.#parts;
    const state = await look().catch(unlessChanged);
    if (!state) return false;
    this.#last = state;
    if (state.hasChanged) this.#changedMs = clock.passedMs;
    this.#hasChangedMeanwhile ||= state.hasChanged;
    return !state.isLoading && !state.hasChanged && !this.#isAwaiting({ aheadMs: AHEAD_MS });
  }

  /** The state of the page. In real time, what it says of its quiet time may be time in which it could not run. */
  async #state(): Promise<RestState> {
    const { clock, look } = this.#parts;
    const state = await look();
    this.#last = state;
    if (!clock.isReal) return state;
    if (state.hasChanged) this.#changedMs = clock.passedMs;
    const hasChanged = state.hasChanged || this.#hasChangedMeanwhile;
    this.#hasChangedMeanwhile = false;
    return { ...state, hasChanged, quietMs: clock.passedMs - this.#changedMs };
  }

  #aheadMs(): number {
    const { network, clock } = this.#parts;
    if (!network.hasChannels || clock.isReal) return AHEAD_MS;
    const left = CHANNEL_LEAD_MS - this.#channelLeadMs;
    this.#channelLeadMs += Math.min(AHEAD_MS, Math.max(0, left));
    return left > 0 ? Math.min(AHEAD_MS, left) : CHANNEL_STEP_MS;
  }

  /** Waits for the document that the page leaves for. Returns whether it has come. */
  async #followNavigation(patienceMs: number): Promise<boolean> {
    const { main, changes, closed } = this.#parts;
    if (!this.#isLeaving) return false;
    const { number } = main;
    // Addresses such as mailto: lead to no document.
    for (let ms = 0; main.isLeaving && !main.isAwaited && ms < ANNOUNCED_MS; ms += WORK_STEP_MS) {
      if (ms > 0) await sleep(WORK_STEP_MS);
      await this.#pass(WORK_STEP_MS, patienceMs);
    }
    main.isLeaving = false;
    await changes.until(() => !main.isAwaited || main.number !== number, NAVIGATION_MS, closed);
    return main.number !== number;
  }

  /** Lets workers, channels and work of the browser go on, which take real time. */
  async #look(run: Run): Promise<RestState> {
    const { patienceMs, requests, hasChanged: hadChanged } = run;
    const { network, page } = this.#parts;
    let state = await this.#state();
    let { hasChanged } = state;
    let isAsked = !this.#hasListened;
    const stepsFor = (isShown: boolean) => (isAsked ? (isShown ? QUIET_STEPS : ANSWER_STEPS) : IDLE_STEPS);
    let quiet = 0;
    // What has just ended may have set a timer.
    let hasEnded = false;
    let wasOpen = false;
    let hasClosed = false;
    for (let step = 0; step < STEPS; step += 1) {
      const isPending = network.isAsking || network.isReceiving(patienceMs);
      const isOpen = network.hasChannels || page.workers().length > 0;
      // What is requested may be answered by a channel. A worker is asked by messages.
      isAsked ||= state.asked !== this.#asked || (network.hasChannels && network.started > requests);
      hasClosed ||= wasOpen && !isOpen;
      wasOpen = isOpen;
      const isQuiet = !isOpen || quiet >= stepsFor(hasChanged || hadChanged);
      if (state.work === 0 && !isPending && isQuiet) break;
      hasEnded = state.work > 0;
      const ms = state.work > 0 ? WORK_STEP_MS : CHANNEL_STEP_MS;
      await sleep(ms);
      run.waitedMs += ms;
      await this.#pass(ms, patienceMs);
      state = await this.#state();
      hasChanged ||= state.hasChanged;
      quiet = state.hasChanged || isPending ? 0 : quiet + 1;
    }
    this.#asked = state.asked;
    // In so much real time, less of the page's time has passed.
    const quietMs = quiet > 0 ? QUIET_MS : state.quietMs;
    return { ...state, hasChanged, work: state.work || Number(hasEnded || hasClosed), quietMs };
  }
}

/** The state of a page that was not looked at yet. */
const UNKNOWN = { timerMs: 0, frames: 0, animations: 0, work: 0, observes: 0, moves: 0, wheels: 0 };

type Run = ReturnType<typeof beginRun>;

/** What has happened since a page was asked to come to rest. */
const beginRun = (requests: number, patienceMs: number, isActed = false) => ({
  started: performance.now(),
  /** How long the page was waited for, beside its time, in real ms. Time in which the browser did not respond does not count. */
  waitedMs: 0,
  /** The number of the page's requests when it last came to rest. */
  requests,
  patienceMs,
  /** Whether something was done to the page that it was not looked at since. */
  isActed,
  /** New documents. */
  documents: 0,
  /** Rounds of the document on show. */
  round: 0,
  /** How many frames the page needs now, and how many it has had. */
  need: 0,
  frames: 0,
  /** Whether the page changed while its last frames were drawn. */
  hasDrawn: false,
  /** Whether elements or texts did. */
  hasDrawnContent: false,
  /** Animations at the last look. */
  animations: 0,
  /** Timers that are due within so much of the page's time are waited for, in ms. */
  aheadMs: AHEAD_MS,
  /** How much of its time passes even where it waits for nothing, in ms. */
  leastMs: IDLE_AHEAD_MS,
  /** Whether it waited for nothing when its time last passed. */
  wasIdle: false,
  /** Whether requests may have taken all of the time that passed then. */
  hasUsedUp: false,
  hasChanged: false,
  isGrowing: false,
});
