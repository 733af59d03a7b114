import { mentionsCode } from "../../contract/secrets/secret-syntax.ts";
import type { StepOf } from "../../contract/steps/steps.ts";
import { RunFailure } from "../../runs/failure.ts";
import type { Batch, JobSession } from "../job.ts";
import { UNPROVEN } from "../limits.ts";
import type { Tab } from "../page/tab.ts";
import type { Session } from "../session.ts";
import { type Action, waitFor } from "./perform.ts";

interface Settings extends JobSession {
  /** The first step of the scraper. Its page shows whether the run is signed in. */
  visit: StepOf<"visit">;
}

export interface SignInActions {
  perform: (step: Action) => Promise<void>;
  /** Called before the page that the steps ended at is left, with the failure of the step. */
  leave: (failure?: RunFailure) => Promise<void>;
}

/** Failures of a step that a page for signed-out visitors may cause. */
const DOUBTFUL = new Set(["element_not_found", "fields_not_found", "element_unusable", "option_not_found"]);

/** Some sites refuse signed-out visitors by a status. */
const isRefused = ({ httpStatus }: RunFailure) => httpStatus === 401 || httpStatus === 403;

/** Restores the sign-in of earlier runs, and signs in where it has expired. */
export class SignIn {
  readonly #session: Session;
  readonly #settings: Settings;
  readonly #perform: SignInActions["perform"];
  readonly #leave: SignInActions["leave"];
  /** The pages that had loaded when the first page showed that the run is signed in. */
  #checkedAt: number | undefined;
  /** The pages that had loaded when the first page showed it again. */
  #confirmedAt: number | undefined;
  /** The document on show when the last batch of rows was read, and the pages that had loaded. */
  #shown: { tab: Tab; documents: number; loads: number } | undefined;

  constructor(session: Session, settings: Settings, { perform, leave }: SignInActions) {
    this.#session = session;
    this.#settings = settings;
    this.#perform = perform;
    this.#leave = leave;
  }

  /** Loads the cookies and the local storage of earlier runs. To be called before the first page is opened. */
  async restore(): Promise<void> {
    const state = await this.#session.keeper?.load();
    if (state) await this.#session.setState(state);
  }

  /** Opens the first page, and signs in if that is needed. @throws RunFailure session_expired */
  async open(): Promise<void> {
    const { check, visit } = this.#settings;
    if (check === undefined) return this.#perform(visit);
    if (!(await this.#isSignedInAnew())) await this.#renew();
    this.#checkedAt = this.#session.loads.current;
  }

  /** Why a step failed, if the reason is that the session has expired since the run began. */
  async explain(failure: RunFailure): Promise<RunFailure | undefined> {
    if (this.#checkedAt === undefined) return undefined;
    if (!isRefused(failure) && !DOUBTFUL.has(failure.code)) return undefined;
    await this.#leave(failure);
    const isStillSignedIn = await this.#isSignedInAnew().catch(() => true);
    return isStillSignedIn ? undefined : this.#expiredMeanwhile(failure);
  }

  /**
   * Passes on the rows of a list once a page has shown, after they were read, that the run is still signed in: the page that
   * has them, or the first page, which is opened again for some of them.
   * @param isFromPage whether all their values are from the page of the list
   * @throws RunFailure session_expired if they may be those of a page for signed-out visitors
   */
  async *proven(batches: AsyncIterable<Batch>, isFromPage: boolean): AsyncGenerator<Batch> {
    if (this.#checkedAt === undefined) return yield* batches;
    const { budget } = this.#session;
    const held: Batch[] = [];
    try {
      for await (const batch of batches) {
        held.push(batch);
        const rows = held.reduce((sum, one) => sum + one.rows.length, 0);
        const isFull = held.length >= UNPROVEN.batches || rows >= UNPROVEN.rows;
        const isLate = budget.remaining() < this.#session.lastPageMs * UNPROVEN.pagesLeft;
        if (!(isFromPage && (await this.#isProven()))) {
          if (!isFull && !isLate) continue;
          await this.#confirm();
        }
        yield* held.splice(0);
      }
    } catch (error) {
      // A failure of another kind leaves the rows before it.
      if (held.length > 0 && (await this.#isConfirmed().catch(() => false))) yield* held;
      throw error;
    }
    if (held.length === 0) return;
    await this.#confirm();
    yield* held;
  }

  /** Whether the page on show is the one that the last rows are from, and shows that the run is signed in. */
  async #isProven(): Promise<boolean> {
    const { tab, loads } = this.#session;
    const before = this.#shown;
    this.#shown = { tab, documents: tab.main.number, loads: loads.current };
    const isSame = before?.tab === tab && before.documents === tab.main.number;
    return !(isSame && before.loads !== loads.current) && (await this.#isSignedIn());
  }

  /** Opens the first page in a tab of its own. */
  async #isConfirmed(): Promise<boolean> {
    const session = this.#session;
    const left = session.switchTo(await session.newTab());
    try {
      if (!(await this.#isSignedInAnew())) return false;
      this.#confirmedAt = session.loads.current;
      return true;
    } finally {
      await session.switchTo(left).close();
    }
  }

  async #confirm(): Promise<void> {
    if (!(await this.#isConfirmed())) throw this.#expiredMeanwhile();
  }

  /**
   * To be called when all rows are read. Stores the state for later runs.
   * @throws RunFailure session_expired if the last values may be those of a page for signed-out visitors
   */
  async finish(): Promise<void> {
    if (this.#settings.check !== undefined) await this.#checkAgain();
    await this.#save(false);
  }

  /** @throws RunFailure session_expired */
  async #checkAgain(): Promise<void> {
    if (this.#session.loads.current === this.#confirmedAt) return;
    // A page that stays open does not show that the pages after it were those for signed-out visitors.
    const isOnlyPage = this.#session.loads.current === this.#checkedAt;
    if (isOnlyPage && (await this.#isSignedIn())) return;
    await this.#leave();
    if (!(await this.#isSignedInAnew())) throw this.#expiredMeanwhile();
  }

  async #renew(): Promise<void> {
    const { keeper, budget } = this.#session;
    const { steps = [] } = this.#settings;
    if (steps.length === 0) throw this.#expired("The scraper has no steps to sign in.");
    const others = await keeper?.begin((ms) => budget.pause(ms));
    if (others) {
      await this.#session.setState(others);
      if (await this.#isSignedInAnew()) return;
      await keeper?.begin((ms) => budget.pause(ms));
    }
    for (const [index, step] of steps.entries()) {
      try {
        await this.#session.tab.holdLayout(false);
        if (step.type !== "visit") await this.#session.tab.settle();
        await this.#perform(step);
      } catch (error) {
        const failure = this.#session.failureOf(error);
        if (
          failure instanceof RunFailure &&
          !("optional" in step && step.optional && failure.code === "element_not_found")
        )
          throw this.#expired(`Step ${index + 1} of its sign-in failed: ${failure.message}`, failure);
        if (!(failure instanceof RunFailure)) throw failure;
      }
    }
    await this.#session.tab.settle();
    if (!(await this.#isSignedInAnew())) throw this.#expired(this.#noFailure());
    await this.#save(true);
  }

  #noFailure(): string {
    const { steps = [] } = this.#settings;
    const typesCode = steps.some((step) => step.type === "write_input" && mentionsCode(step.value));
    const clock =
      " If the site has refused the one-time code, check the clock of the machine that runs the service.";
    return `The steps to sign in ended without a failure.${typesCode ? clock : ""}`;
  }

  async #isSignedInAnew(): Promise<boolean> {
    try {
      await this.#perform(this.#settings.visit);
    } catch (error) {
      const failure = this.#session.failureOf(error);
      if (failure instanceof RunFailure && isRefused(failure)) return false;
      throw failure;
    }
    return this.#isSignedIn();
  }

  async #isSignedIn(): Promise<boolean> {
    const { tab } = this.#session;
    await tab.holdLayout(false);
    await tab.settle();
    try {
      await waitFor(this.#session, { type: "wait", ...this.#settings.check }, 0);
      return true;
    } catch (error) {
      if (error instanceof RunFailure && error.code === "element_not_found") return false;
      throw error;
    }
  }

  async #save(isNew: boolean): Promise<void> {
    const { keeper, warnings } = this.#session;
    if (!keeper || (await keeper.save(await this.#session.state(), isNew))) return;
    warnings.add({
      code: "session_not_kept",
      message: `The cookies and the local storage of the session "${this.#settings.name}" are too large to be kept, so each run signs in anew.`,
      step: null,
    });
  }

  #expired(reason: string, cause?: RunFailure): RunFailure {
    const { name, check = {}, visit } = this.#settings;
    const missing =
      check.text === undefined ? `nothing matches ${check.selector}` : `the text "${check.text}" is missing`;
    return new RunFailure(
      "session_expired",
      // Alerts cut long messages, so what to do comes before a reason that may be long.
      `The session "${name}" is signed out: ${missing} on ${visit.url}. ${this.#byHand()}, or check the page, the session's check and its steps. ${reason}`,
      { step: 0, ...(cause && { cause }) },
    );
  }

  #byHand(): string {
    const { name, visit } = this.#settings;
    return `Sign in by hand with \`npx gleaner session sign-in ${name} ${visit.url}\``;
  }

  #expiredMeanwhile(cause?: RunFailure): RunFailure {
    const { name, steps = [] } = this.#settings;
    const remedy = steps.length > 0 ? "Run the scraper again: it signs in anew" : this.#byHand();
    return new RunFailure(
      "session_expired",
      `The session "${name}" was signed out during the run, so its last rows are missing. ${remedy}.`,
      cause && { cause },
    );
  }
}
