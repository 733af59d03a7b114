import { setTimeout as sleep } from "node:timers/promises";
import type { CDPSession } from "playwright-core";
import { abortable } from "../../abortable.ts";
import { PICTURE } from "../limits.ts";
import { CallTimeout, within } from "../time-limit.ts";
import { IDLE_HOLD_MS, IDLE_STEPS, LOOK_MS, MOST_MS, PUMP_MS, REAL_FRAME_MS, STUCK_MS } from "../timing.ts";
import type { NetworkActivity } from "./network/network-activity.ts";
import type { PictureCover } from "./pictures/picture-cover.ts";

/** The page's time does not pass: a script waits for it in a loop, or has too much work. */
export class PageStuck extends CallTimeout {}

/** What the browser draws. */
interface Frame {
  noDisplayUpdates?: boolean;
  screenshot?: { format: "jpeg"; quality: number };
}

/** In pixels. */
export interface Size {
  width: number;
  height: number;
}

/** Has tasks executed one after another. */
export class Sequence {
  #last: Promise<unknown> = Promise.resolve();

  run<T>(task: () => Promise<T>): Promise<T> {
    const result = this.#last.then(task, task);
    this.#last = result.catch(() => {});
    return result;
  }
}

/** What is asked while time passes. */
interface Passing {
  /** Whether it need not pass any more. */
  isOver: () => boolean;
  /** Whether the page waits for nothing but requests. Tells that once the page could run. @throws PageStuck */
  isIdle: () => Promise<boolean>;
  /** How much of it the page has a use for, in ms. No more has to pass. */
  usefulMs: number;
}

/** How far the time of a process has come. All its pages have the same. */
class ProcessTime {
  /** Whether it has ever been the engine's. */
  isStarted = false;
  /** The time at the start, when that was by our own clock, and how much has passed since, in ms. */
  base = 0;
  startedAt = performance.now();
  passed = 0;
  /** The time of the last frame. */
  drawn = 0;
  /** Whether a jump was left before its end. The browser still stops the time there, in the middle of a later jump. */
  hasLeft = false;
}

/** What the clocks of a browser's pages have in common. */
export class BrowserClock {
  /** Draws frames: two at the same time would end the browser. */
  readonly drawing = new Sequence();
  /** The time of all pages; undefined where each has a process of its own. */
  readonly #time: ProcessTime | undefined;

  /** @param isShared whether all pages of the browser share its process */
  constructor(isShared = false) {
    if (isShared) this.#time = new ProcessTime();
  }

  /** Whether the pages' time is that of all of the browser, such as of its cookies. */
  get isShared(): boolean {
    return this.#time !== undefined;
  }

  /** The time of a new page. */
  timeOfPage(): ProcessTime {
    return this.#time ?? new ProcessTime();
  }
}

interface ClockOptions {
  /** What the page's own clock says, in ms. Undefined while it has no document. */
  now: () => Promise<number | undefined>;
  browser: BrowserClock;
  /** Whether the engine draws the page's frames; otherwise, the browser does. */
  draws: boolean;
  /** Fires when the page is gone. */
  closed: AbortSignal;
  network: NetworkActivity;
}

/**
 * The time and the frames of a page. Its time only passes where the engine lets it, by Chromium's virtual time: it jumps
 * from timer to timer, and stops while requests are pending. Frames are drawn at the page's own time. In a browser where
 * the engine can't draw frames, and where the scraper says so, time is real.
 */
export class PageClock {
  readonly #cdp: CDPSession;
  readonly #options: ClockOptions;
  /** Whether it never jumps. */
  isReal = false;
  readonly #time: ProcessTime;
  /** How many requests had started when the browser last stopped the time without one. */
  #forgottenAt = -1;

  constructor(cdp: CDPSession, options: ClockOptions) {
    this.#cdp = cdp;
    this.#options = options;
    this.#time = options.browser.timeOfPage();
    this.isReal = !options.draws;
  }

  /** Whether the engine draws the page's frames. */
  get draws(): boolean {
    return this.#options.draws;
  }

  /** Whether the page's time has ever been the engine's. */
  get isStarted(): boolean {
    return this.#time.isStarted;
  }

  /** How much of the page's time has passed since it began, in ms, with what it had no use for. */
  passedMs = 0;
  /** How far it has jumped, in ms. */
  jumpedMs = 0;

  /**
   * Lets `ms` of the page's time pass. Requests stop it.
   * @param patienceMs how long a request may stop it, in real ms
   * @throws PageStuck; CallTimeout for a page that does not answer at all
   */
  async pass(ms: number, passing: Passing, patienceMs: number): Promise<void> {
    if (this.isReal) return this.#passReal(ms, passing, patienceMs);
    const { isOver, usefulMs } = passing;
    const { network } = this.#options;
    const time = this.#time;
    time.isStarted = true;
    // A page's time that is behind the real one catches up.
    const lagMs = performance.now() - time.startedAt - time.passed;
    const jumpMs = Math.min(ms, Math.max(usefulMs, lagMs));
    this.passedMs += ms;
    this.jumpedMs += jumpMs;
    // A page that was busy at first may have sent a request since.
    for (
      let tries = 2;
      tries > 0 && !network.isHeldForNothing(patienceMs) && !this.#waitsForNone;
      tries -= 1
    ) {
      if (await this.#jump(jumpMs, "pauseIfNetworkFetchesPending", isOver, patienceMs)) return;
      if (network.isHolding) continue;
      // The time of a busy page passes only once it has finished.
      await this.#jump(1, "advance", isOver, patienceMs);
      if (!network.isHolding) this.#forgottenAt = network.started;
    }
    await this.#jump(jumpMs, "advance", isOver, patienceMs);
  }

  /**
   * Whether the browser stops the page's time for a request that it has canceled, such as that for a mailto: address. It
   * does so until the page navigates again.
   */
  get #waitsForNone(): boolean {
    const { network } = this.#options;
    return network.started === this.#forgottenAt && !network.isHolding;
  }

  /** Draws a frame at the page's time. @throws CallTimeout */
  async frame(): Promise<void> {
    if (!this.#options.draws) {
      await sleep(REAL_FRAME_MS);
      return;
    }
    await within(MOST_MS, this.#draw({ noDisplayUpdates: true }));
  }

  /** Draws frames until there is an answer that may need them, such as that of an action of the pointer. */
  async withFrames<T>(answer: Promise<T>): Promise<T> {
    if (!this.#options.draws) return answer;
    let isOver = false;
    const over = answer.finally(() => {
      isOver = true;
    });
    over.catch(() => {});
    while (!isOver) {
      await Promise.race([over.catch(() => {}), sleep(PUMP_MS)]);
      if (!isOver) await this.frame();
    }
    return over;
  }

  /** Gives the page another size. */
  async resize(size: Size): Promise<void> {
    const metrics = { ...size, deviceScaleFactor: 1, mobile: false };
    await this.withFrames(this.#cdp.send("Emulation.setDeviceMetricsOverride", metrics));
  }

  /**
   * A picture of what the page shows, as a JPEG.
   * @param size of the picture; absent: that of the window
   * @param cover what is to be covered. Then there is no picture if that is not possible
   */
  async picture(quality: number, size?: Size, cover?: PictureCover): Promise<Buffer | undefined> {
    try {
      if (size) await this.resize(size);
      // The first frame of a document gives no picture.
      await this.frame();
      if (cover && !(await cover.cover())) return undefined;
      let picture: string | undefined;
      // Nor does one of a document that has come since.
      for (let left = PICTURE.draws; picture === undefined && left > 0; left -= 1)
        picture = (await this.#draw({ screenshot: { format: "jpeg", quality } })).screenshotData;
      // The frame may have let scripts of the page run.
      if (cover && !(await cover.isCovered())) return undefined;
      return picture === undefined ? undefined : Buffer.from(picture, "base64");
    } finally {
      if (size) this.#cdp.send("Emulation.clearDeviceMetricsOverride").catch(() => {});
    }
  }

  /** @throws the failure of a page that is gone: then there is no answer */
  #draw(frame: Frame): Promise<{ screenshotData?: string }> {
    const { browser, closed } = this.#options;
    const time = this.#time;
    // A frame that is not later than the one before is not drawn. One that is much earlier than now may end the browser: as
    // long as the page's time is that of the browser, so is that of its frames.
    time.drawn = Math.max(time.drawn + 0.1, time.base + time.passed);
    const timed = this.isReal || !time.isStarted ? frame : { ...frame, frameTimeTicks: time.drawn };
    return browser.drawing.run(() =>
      abortable(this.#cdp.send("HeadlessExperimental.beginFrame", timed), closed),
    );
  }

  /** Makes the time jump by `ms`. Resolves to false if only requests that never end stop it, or none. */
  async #jump(
    ms: number,
    policy: "advance" | "pauseIfNetworkFetchesPending",
    isOver: () => boolean,
    patienceMs: number,
  ): Promise<boolean> {
    const { network, closed, now } = this.#options;
    const time = this.#time;
    const from = time.hasLeft ? await now() : undefined;
    let expiry = Promise.withResolvers<"expired">();
    const onExpired = () => expiry.resolve("expired");
    const grant = (budget: number) => {
      expiry = Promise.withResolvers();
      // A page whose script never ends does not even take this.
      const set = this.#cdp.send("Emulation.setVirtualTimePolicy", { policy, budget });
      return abortable(within(Math.max(STUCK_MS, patienceMs), set), closed);
    };
    this.#cdp.on("Emulation.virtualTimeBudgetExpired", onExpired);
    try {
      const { virtualTimeTicksBase } = await grant(ms);
      // Another process has another time.
      if (time.base !== virtualTimeTicksBase) {
        time.base = virtualTimeTicksBase;
        time.startedAt = performance.now();
        time.passed = 0;
        time.hasLeft = false;
      }
      for (let movedAt = performance.now(); ; ) {
        const first = await Promise.race([expiry.promise, sleep(LOOK_MS, "waits" as const)]);
        if (first === "expired") {
          const left = from === undefined ? 0 : from + ms - ((await now()) ?? from + ms);
          // The page's clock tells whole milliseconds.
          if (left > 1) {
            await grant(left);
            movedAt = performance.now();
            continue;
          }
          time.passed += ms;
          return true;
        }
        closed.throwIfAborted();
        if (isOver()) {
          time.hasLeft = true;
          return true;
        }
        if (network.isHolding) movedAt = performance.now();
        const silentMs = performance.now() - movedAt;
        if (silentMs > STUCK_MS) throw new PageStuck(`the page's time did not pass for ${silentMs} ms`);
        const isHeld = silentMs > IDLE_HOLD_MS || network.isHeldForNothing(patienceMs);
        if (policy !== "advance" && isHeld) {
          time.hasLeft = true;
          return false;
        }
      }
    } finally {
      this.#cdp.off("Emulation.virtualTimeBudgetExpired", onExpired);
    }
  }

  /**
   * Time in which the page got no CPU time, as on a busy machine, does not count. What is left when the page waits for
   * nothing would change nothing.
   */
  async #passReal(ms: number, { isOver, isIdle }: Passing, patienceMs: number): Promise<void> {
    const { network, closed } = this.#options;
    const stepMs = Math.min(REAL_FRAME_MS, ms);
    const end = this.passedMs + ms;
    for (let idle = 0; !isOver(); ) {
      const isHeld = network.isHolding && !network.isHeldForNothing(patienceMs);
      if (!isHeld && (this.passedMs >= end || idle >= IDLE_STEPS)) {
        this.passedMs = Math.max(this.passedMs, end);
        return;
      }
      const started = performance.now();
      await this.frame();
      await sleep(stepMs);
      closed.throwIfAborted();
      idle = (await isIdle()) && !isHeld ? idle + 1 : 0;
      this.passedMs += Math.min(performance.now() - started, 2 * stepMs);
    }
  }
}
