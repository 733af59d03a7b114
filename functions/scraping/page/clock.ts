import { setTimeout as sleep } from "node:timers/promises";
import type { CDPSession, Page } from "playwright-core";
import { CallTimeout } from "../time-limit.ts";
import { MESSAGES_MS, type NetworkActivity } from "./network-activity.ts";

/** A page that answers within this time keeps its own clock. */
const GRACE_MS = 100;
/** Requests stop the page's time for this long. Then it passes at real speed for as long. */
const HELD_MS = 500;
/** The first jump; each of the next is twice as long. */
const FIRST_JUMP_MS = 400;
/** The steps in which time passes at real speed. */
const TICK_MS = 20;
/** The same while the engine waits for an answer, because the page's tasks only run while its time passes. */
const ANSWER_TICK_MS = 5;
/** How long to wait until the page receives a step of its clock. Steps can get lost during a navigation. */
const STEP_MS = 100;
/** Real time between two jumps, in which the browser draws frames. */
const FRAMES_MS = 60;
/** How far the page's time stays ahead of real time between jumps. The browser draws no frame for a time in the future. */
const LEAD_MS = 500;
/** How long a page may take to answer after a jump of its time. */
const AFTER_JUMP_MS = 500;

/**
 * The most time, in ms, that a page with WebSockets or event streams may skip in all. Libraries close a connection without
 * heartbeats: Socket.IO expects one every 25 s and closes after 45 s; SignalR expects one every 15 s and closes after 30 s.
 */
const CHANNEL_LEAD_MS = 10_000;

/** A page is stuck in a task if it reports no progress of its time for this long. */
const STUCK_MS = 8_000;

/** How often to check whether a page is stuck, in ms. */
const STUCK_CHECK_MS = 500;
/** How long a page whose thread is free may take to say so, in ms. */
const PROBE_MS = 2_000;

/** The page's time does not pass: a script waits for it in a loop, or has too much work. */
export class PageStuck extends CallTimeout {}

/** Why the time of a page never jumps: the scraper says so, or the page did not answer while it jumped. */
export type RealTime = "chosen" | "repeated";
type Policy = "advance" | "pauseIfNetworkFetchesPending";
const PAUSING = "pauseIfNetworkFetchesPending";

interface JumpOptions {
  /** How much time the page may wait for in all. */
  ms: number;
  /** The first jump, and the shortest. */
  firstMs: number;
  /** How long time passes at real speed after a jump. */
  restMs: () => number | Promise<number>;
  policy: () => Policy;
  answered: Promise<boolean>;
}

/**
 * Controls the time of a page's scripts, by Chromium's virtual time. While the engine waits for an answer of the page,
 * that time jumps from timer to timer, and stops while requests are pending. So rows that a timer shows after three
 * seconds are there at once. Between such waits, time passes at real speed.
 *
 * Frames, workers and requests take real time. Pages that share a browser process share this clock. Chromium can't return
 * to its own clock, so a page gets this one only when it makes the engine wait.
 */
export class PageClock {
  readonly #page: Page;
  readonly #cdp: CDPSession;
  readonly #closed: AbortSignal;
  readonly #network: NetworkActivity;
  /** When the page got this clock, in ms since the epoch. */
  #startedAt: number | undefined;
  /** How much of its time has passed since then, at least, and how much is passing now. */
  #passedMs = 0;
  #passingMs = 0;
  #passingSince = 0;
  /** Number of answers that the engine waits for. */
  #awaited = 0;
  /** When the page last reported that its time had passed. */
  #expiredAt = 0;
  /** Number of waits that make the time jump now. */
  #jumping = 0;
  #onExpired: () => void = () => {};
  realTime: RealTime | undefined;
  /** How much time the page has skipped while it had a WebSocket or an event stream. */
  #channelLeadMs = 0;

  /** @param closed fires when the page is gone */
  constructor(page: Page, cdp: CDPSession, closed: AbortSignal, network: NetworkActivity) {
    this.#page = page;
    this.#cdp = cdp;
    this.#closed = closed;
    this.#network = network;
    cdp.on("Emulation.virtualTimeBudgetExpired", () => {
      this.#expiredAt = Date.now();
      this.#passedMs += this.#passingMs;
      this.#passingMs = 0;
      this.#onExpired();
    });
  }

  /** Whether this clock has replaced the browser's own. */
  get isStarted(): boolean {
    return this.#startedAt !== undefined;
  }

  /** Whether the page's time can jump. The time of workers and servers can't, so a page must not wait for them. */
  get canFastForward(): boolean {
    return !this.realTime && this.#page.workers().length === 0 && !this.#network.isAsking;
  }

  /** Whether the page's time may jump even if the engine waits for no answer. */
  get canSkipAhead(): boolean {
    if (!this.#network.hasChannels) this.#channelLeadMs = 0;
    return this.canFastForward && this.#channelLeadMs < CHANNEL_LEAD_MS;
  }

  /** Waits for an answer, with short steps so that the page's tasks run without delay. */
  async withShortTicks<T>(answer: Promise<T>): Promise<T> {
    this.#awaited += 1;
    try {
      return await answer;
    } finally {
      this.#awaited -= 1;
    }
  }

  /**
   * Waits for an answer that may take up to `ms` of the page's time, and makes that time jump.
   * @throws PageStuck
   */
  async fastForward<T>(ms: number, answer: Promise<T>): Promise<T> {
    const answered = hasSettled(answer);
    // Messages take real time.
    const realMs = this.#network.hasChannels ? MESSAGES_MS : GRACE_MS;
    if (!this.realTime && !(await Promise.race([answered, sleep(realMs, false)])))
      await this.#jumpUntilAnswered({
        ms,
        answered,
        firstMs: FIRST_JUMP_MS,
        restMs: () => FRAMES_MS,
        // A request that never ends must not stop the time.
        policy: () => (this.#network.isEndless && this.#network.pending === 0 ? "advance" : PAUSING),
      });
    return answer;
  }

  /**
   * Waits for an answer that takes `ms` of the page's time. If the time can jump, the first jump takes all of it.
   * @throws PageStuck
   */
  async skipAhead<T>(ms: number, answer: Promise<T>): Promise<T> {
    // If some pending requests never end, no request stops the time.
    const policy = () => (this.#network.isEndless ? "advance" : PAUSING);
    const answered = hasSettled(answer);
    if (this.canSkipAhead) {
      // The page is asked before its time jumps; the answer is only needed after that.
      const before = this.#now(answered);
      const restMs = async () => ((await this.#now(answered)) < (await before) + ms ? 0 : AFTER_JUMP_MS);
      await this.withShortTicks(this.#jumpUntilAnswered({ ms, answered, firstMs: ms, restMs, policy }));
    }
    return this.withShortTicks(answer);
  }

  /**
   * Waits for an answer at real speed.
   * @throws PageStuck
   */
  async atRealSpeed<T>(answer: Promise<T>): Promise<T> {
    const answered = hasSettled(answer);
    let started = Date.now();
    while (!(await Promise.race([answered, sleep(STUCK_CHECK_MS, false)]))) {
      if (!this.isStarted || this.#silentMs(started) < STUCK_MS) continue;
      // The time also stops while a page waits for another document.
      if (!(await this.#answers())) this.#assertMoving(started);
      started = Date.now();
    }
    return answer;
  }

  /** Whether the page's thread is free. */
  #answers(): Promise<boolean> {
    const asked = this.#cdp.send("Runtime.evaluate", { expression: "1" });
    return Promise.race([hasSettled(asked), sleep(PROBE_MS, false)]);
  }

  /** The page's own time in ms, or NaN. */
  async #now(answered: Promise<boolean>): Promise<number> {
    const asked = this.#cdp.send("Runtime.evaluate", { expression: "performance.now()" }).then(
      ({ result }) => Number(result.value),
      () => Number.NaN,
    );
    return Promise.race([asked, answered.then(() => Number.NaN), sleep(PROBE_MS, Number.NaN)]);
  }

  #silentMs(started: number): number {
    return Date.now() - Math.max(started, this.#expiredAt);
  }

  async #jumpUntilAnswered({ ms, answered, firstMs, restMs, policy }: JumpOptions): Promise<void> {
    this.#start();
    const started = Date.now();
    let passedMs = 0;
    // When all of the time has passed, the page usually waits for frames.
    // If nothing stops the time, short jumps leave requests the time to end.
    const next = (jumpMs: number) =>
      policy() === "advance" ? firstMs : Math.max(firstMs, Math.min(2 * jumpMs, ms - passedMs));
    for (let jumpMs = firstMs; ; jumpMs = next(jumpMs)) {
      const first = this.canFastForward ? await this.#jump(jumpMs, answered, policy()) : "held";
      if (first === "answered") return;
      if (first === "expired") passedMs += jumpMs;
      const pause = first === "expired" ? await restMs() : HELD_MS;
      if (await Promise.race([answered, sleep(pause, false)])) return;
      this.#assertMoving(started);
    }
  }

  /** @throws PageStuck where the page's time has not passed lately, nor since `started` */
  #assertMoving(started: number): void {
    const silentMs = this.#silentMs(started);
    if (silentMs >= STUCK_MS) throw new PageStuck(`the page's time did not pass for ${silentMs} ms`);
  }

  /** Makes the time jump by `ms`, unless requests stop it for too long. */
  async #jump(
    ms: number,
    answered: Promise<boolean>,
    policy: Policy,
  ): Promise<"answered" | "expired" | "held"> {
    this.#jumping += 1;
    // Otherwise, both would expire with the same event.
    await Promise.race([this.#stepped(), answered]);
    this.#onExpired = () => {};
    // An expiry before the browser has accepted the command belongs to the step before.
    const expired = this.#pass(policy, ms).then(
      () =>
        new Promise<"expired">((resolve) => {
          this.#onExpired = () => resolve("expired");
        }),
    );
    const first = await Promise.race([
      answered.then(() => "answered" as const),
      expired,
      sleep(HELD_MS, "held" as const),
    ]);
    this.#jumping -= 1;
    if (first !== "held" && this.#network.hasChannels) this.#channelLeadMs += ms;
    this.#passingMs = first === "held" ? HELD_MS : 0;
    this.#tick();
    return first;
  }

  #start(): void {
    if (this.#startedAt !== undefined || this.#closed.aborted) return;
    this.#startedAt = Date.now();
    const ticking = setInterval(() => {
      const isDue = this.#awaited > 0 || Date.now() >= this.#passingSince + TICK_MS;
      if (isDue && this.#jumping === 0 && !this.#isStepping) this.#tick();
    }, ANSWER_TICK_MS);
    ticking.unref();
    this.#closed.addEventListener("abort", () => clearInterval(ticking));
  }

  /** Whether a step is in progress. */
  get #isStepping(): boolean {
    return this.#passingMs > 0 && Date.now() < this.#passingSince + STEP_MS;
  }

  async #stepped(): Promise<void> {
    if (!this.#isStepping) return;
    const expired = new Promise<void>((resolve) => {
      this.#onExpired = resolve;
    });
    await Promise.race([expired, sleep(this.#passingSince + STEP_MS - Date.now())]);
  }

  /** Lets time pass at real speed. */
  #tick(): void {
    const dueMs = Date.now() - (this.#startedAt ?? 0) + LEAD_MS;
    // A busy page has not used up its last step yet.
    this.#pass("advance", ANSWER_TICK_MS + Math.max(this.#passingMs, dueMs - this.#passedMs));
  }

  async #pass(policy: Policy, ms: number): Promise<void> {
    this.#passingMs = ms;
    this.#passingSince = Date.now();
    // The page may be gone.
    await this.#cdp.send("Emulation.setVirtualTimePolicy", { policy, budget: ms }).catch(() => {});
  }
}

const hasSettled = (answer: Promise<unknown>): Promise<boolean> =>
  answer.then(
    () => true,
    () => true,
  );
