import { setTimeout as sleep } from "node:timers/promises";
import type { CDPSession, Page } from "playwright-core";
import { CallTimeout } from "../time-limit.ts";
import { MESSAGES_MS, type NetworkActivity } from "./network-activity.ts";

/** A page that answers within this time keeps its own clock. */
const REAL_MS = 100;
/** Requests stop the page's time for this long; then it passes at its usual speed for as long. */
const HELD_MS = 500;
/** The first jump; each of the next is twice as long. */
const FIRST_JUMP_MS = 400;
/** The steps in which time passes at its usual speed, and how long it does so between two jumps. */
const TICK_MS = 20;
/** The same while the engine waits for an answer: the page's tasks only run while its time passes. */
const ANSWER_TICK_MS = 5;
/** How long a step may take until the page notices it: those of a page that makes room for another may be lost. */
const STEP_MS = 100;
const FRAMES_MS = 60;
/** How far the page's time is ahead of the real one between jumps: the browser draws no frame of a time to come. */
const LEAD_MS = 500;
/** How long a page may take to answer after its time has leapt on. */
const ANSWER_MS = 500;

/**
 * How far the time of a page with WebSockets or streams of events may have jumped before it leaps no more, in ms.
 * Libraries close a connection whose server gives no sign of life: Socket.IO after 45 s, where it should give one every
 * 25 s, and SignalR after 30 s, where it should give one every 15 s.
 */
const CHANNEL_LEAD_MS = 10_000;

/** A page that does not notice for this long that its time passes is stuck in a task. */
const STUCK_MS = 8_000;

/** How often is looked whether a page is stuck, in ms. */
const LOOK_MS = 500;
/** How long a page whose thread is free may take to say so, in ms. */
const PROBE_MS = 2_000;

/** A page whose time does not pass: its script waits in a loop for that, or has very much to do. */
export class PageStuck extends CallTimeout {}

type Policy = "advance" | "pauseIfNetworkFetchesPending";
const PAUSING = "pauseIfNetworkFetchesPending";

interface Hurry {
  /** How much time the page may wait for in all. */
  ms: number;
  /** The first jump, and the shortest. */
  firstMs: number;
  /** How long time passes at its usual speed after a jump. What stopped the time may have been an earlier one. */
  restMs: () => number | Promise<number>;
  policy: () => Policy;
  answered: Promise<boolean>;
}

/**
 * The time of a page's scripts. While the engine waits for an answer of the page, that time jumps from timer to timer
 * and stands still while requests are under way: rows that a timer shows after three seconds are there at once. Between
 * such waits it passes at its usual speed.
 *
 * Frames, workers and requests take real time. The clock belongs to the browser's process: pages that share a process
 * share it. Chromium has no way back to its own clock, so a page gets this one only once it lets the engine wait.
 */
export class PageClock {
  readonly #page: Page;
  readonly #cdp: CDPSession;
  readonly #closed: AbortSignal;
  readonly #network: NetworkActivity;
  /** When the page got this clock, in ms since the epoch. */
  #startedAt: number | undefined;
  /** How much of its time has passed since, at least, and how much is passing now. */
  #passedMs = 0;
  #passingMs = 0;
  #passingSince = 0;
  /** Answers that are waited for. */
  #awaited = 0;
  /** When the page last noticed that time had passed. */
  #expiredAt = 0;
  /** Waits that let the time jump. */
  #jumping = 0;
  #onExpired: () => void = () => {};
  #isReal = false;
  /** How far jumps have taken the page's time while it had a WebSocket or a stream of events. */
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

  /** Whether the page's time can be hurried: that of workers and servers can't, nor what a page gets from them. */
  get canHurry(): boolean {
    return !this.#isReal && this.#page.workers().length === 0 && !this.#network.isAsking;
  }

  /** Whether the page's time may leap, although nothing is waited for. */
  get canLeap(): boolean {
    if (!this.#network.hasChannels) this.#channelLeadMs = 0;
    return this.canHurry && this.#channelLeadMs < CHANNEL_LEAD_MS;
  }

  /** Never hurries the page. */
  keepReal(): void {
    this.#isReal = true;
  }

  /** The answer of a page, whose tasks run at once meanwhile. */
  async attended<T>(answer: Promise<T>): Promise<T> {
    this.#awaited += 1;
    try {
      return await answer;
    } finally {
      this.#awaited -= 1;
    }
  }

  /**
   * The answer of a page that may wait for up to `ms` of its own time.
   * @throws PageStuck
   */
  async during<T>(ms: number, answer: Promise<T>): Promise<T> {
    const answered = settled(answer);
    // Messages take real time.
    const realMs = this.#network.hasChannels ? MESSAGES_MS : REAL_MS;
    if (!this.#isReal && !(await Promise.race([answered, sleep(realMs, false)])))
      await this.#hurry({
        ms,
        answered,
        firstMs: FIRST_JUMP_MS,
        restMs: () => FRAMES_MS,
        policy: () => PAUSING,
      });
    return answer;
  }

  /**
   * The answer of a page that waits until `ms` of its own time have passed: the first jump takes all of it, where the
   * page can be hurried.
   * @param hasEndless whether some of the requests under way never end: then no request stops the time
   * @throws PageStuck
   */
  async leap<T>(ms: number, answer: Promise<T>, hasEndless: () => boolean): Promise<T> {
    const policy = () => (hasEndless() ? "advance" : PAUSING);
    const answered = settled(answer);
    if (this.canLeap) {
      // The page is asked before its time jumps; the answer is only needed after that.
      const before = this.#now(answered);
      const restMs = async () => ((await this.#now(answered)) < (await before) + ms ? 0 : ANSWER_MS);
      await this.#hurry({ ms, answered, firstMs: ms, restMs, policy });
    }
    return answer;
  }

  /**
   * What the page is waited for to do, where its time is not hurried.
   * @throws PageStuck
   */
  async whileMoving<T>(answer: Promise<T>): Promise<T> {
    const answered = settled(answer);
    let started = Date.now();
    while (!(await Promise.race([answered, sleep(LOOK_MS, false)]))) {
      if (!this.isStarted || this.#silentMs(started) < STUCK_MS) continue;
      // The time also stands still while a page waits for another document.
      if (!(await this.#answers())) this.#assertMoving(started);
      started = Date.now();
    }
    return answer;
  }

  /** Whether the page's thread is free. */
  #answers(): Promise<boolean> {
    const asked = this.#cdp.send("Runtime.evaluate", { expression: "1" });
    return Promise.race([settled(asked), sleep(PROBE_MS, false)]);
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

  async #hurry({ ms, answered, firstMs, restMs, policy }: Hurry): Promise<void> {
    this.#start();
    const started = Date.now();
    let passedMs = 0;
    // Once all of the time has passed, the page mostly waits for frames.
    const next = (jumpMs: number) => Math.max(firstMs, Math.min(2 * jumpMs, ms - passedMs));
    for (let jumpMs = firstMs; ; jumpMs = next(jumpMs)) {
      const first = this.canHurry ? await this.#jump(jumpMs, answered, policy()) : "held";
      if (first === "answered") return;
      if (first === "expired") passedMs += jumpMs;
      // Frames are drawn in between.
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

  /** Lets `ms` pass in a jump, unless requests hold the time for too long. */
  async #jump(
    ms: number,
    answered: Promise<boolean>,
    policy: Policy,
  ): Promise<"answered" | "expired" | "held"> {
    this.#jumping += 1;
    // Its expiry could not be told from that of the jump.
    await Promise.race([this.#stepped(), answered]);
    this.#onExpired = () => {};
    // What expires before the browser has taken the command is the time before.
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
    if (this.#startedAt !== undefined) return;
    this.#startedAt = Date.now();
    const ticking = setInterval(() => {
      const isDue = this.#awaited > 0 || Date.now() >= this.#passingSince + TICK_MS;
      if (isDue && this.#jumping === 0 && !this.#isStepping) this.#tick();
    }, ANSWER_TICK_MS);
    ticking.unref();
    this.#closed.addEventListener("abort", () => clearInterval(ticking));
  }

  /** Whether a step is under way. */
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

  /** Lets time pass at its usual speed. */
  #tick(): void {
    const dueMs = Date.now() - (this.#startedAt ?? 0) + LEAD_MS;
    // A page that was busy has not had all of its last time yet.
    this.#pass("advance", ANSWER_TICK_MS + Math.max(this.#passingMs, dueMs - this.#passedMs));
  }

  async #pass(policy: Policy, ms: number): Promise<void> {
    this.#passingMs = ms;
    this.#passingSince = Date.now();
    // A page that is gone has no time.
    await this.#cdp.send("Emulation.setVirtualTimePolicy", { policy, budget: ms }).catch(() => {});
  }
}

const settled = (answer: Promise<unknown>): Promise<boolean> =>
  answer.then(
    () => true,
    () => true,
  );
