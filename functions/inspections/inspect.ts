import { v7 as uuid } from "uuid";
import type { Inspection } from "../contract/inspections/inspection.ts";
import type { RunWarning } from "../contract/runs/run.ts";
import type { Pagination, ProxySettings } from "../contract/scrapers/scraper.ts";
import type { Step } from "../contract/steps/steps.ts";
import type { Upstream } from "../egress/connect/upstream-route.ts";
import { creditMultipliers } from "../runs/credits.ts";
import { RunFailure } from "../runs/failure.ts";
import { timedOut } from "../runs/run-limits.ts";
import { type Batch, jobOf, type Scrape } from "../scraping/job.ts";
import type { PageCapture } from "../scraping/page/pictures/capture.ts";
import type { SecretReader } from "../secrets/secret.ts";
import { withSecrets } from "../secrets/with-secrets.ts";
import { withSession } from "../sessions/with-session.ts";
import { addCredits } from "../store/credits.ts";
import { hostTurns } from "../store/host-turns.ts";
import type { Table } from "../store/table.ts";
import type { SpareThread, Taken } from "../threads/spare-thread.ts";
import { ComputationEnded } from "../threads/thread.ts";
import type { TransformSamples } from "../values/transform-rows.ts";
import { withTransforms } from "../values/with-transforms.ts";
import { type Findings, withoutDescription } from "./describe-findings.ts";
import type { InspectionTask } from "./task.ts";

export interface InspectDeps {
  table: Table;
  threads: SpareThread;
  scrape: Scrape;
  readSecrets: SecretReader;
  upstreamFor: (run: { proxy: ProxySettings }) => Promise<Upstream | undefined>;
  now: () => Date;
  /** Aborts the inspection at once. The reason is a RunFailure. */
  stopped?: AbortSignal;
}

/** Time limit of all steps. The rest of the 60 s of an inspection is for the capture of the page. */
const BUDGET_MS = 45_000;

/** Time limit of the description. A page of 20,000 elements takes about a second. */
const DESCRIBE_MS = 8_000;

/** Row limit if several pages are read. It is high, so that the first page does not use it up. */
const ROWS_OF_PAGES = 5_000;

/** Runs the steps of a task and describes the last page. If a step fails, the result has the error. */
export async function inspect(deps: InspectDeps, asked: InspectionTask): Promise<Inspection> {
  const task = { ...asked, steps: stepsFor(asked) };
  const started = performance.now();
  // It starts while the steps run.
  await using taken = deps.threads.take();
  const attempt = new Attempt(deps, task);
  const error = await attempt.run();
  const credits = attempt.pagesLoaded * creditMultipliers[task.proxy.type];
  const at = deps.now();
  if (credits > 0) await addCredits(deps.table, { account: task.account, id: uuid(), credits, at });
  const { batches, capture, warnings, transformed } = attempt;
  const known = {
    ok: error === undefined,
    error: error ? { code: error.code, message: error.message, step: error.step } : null,
    steps: attempt.times(),
    credits_used: credits,
  };
  const inspection = await described(taken, { task, capture, batches, transformed, warnings, known });
  return { ...inspection, ms: Math.round(performance.now() - started) };
}

async function described({ thread }: Taken, findings: Findings): Promise<Inspection> {
  try {
    return await thread.run("describe", findings, DESCRIBE_MS);
  } catch (error) {
    if (error instanceof ComputationEnded) return withoutDescription(findings);
    throw error;
  }
}

/**
 * Reads secrets for an inspection, which must name their hosts. Whoever has a key of the account chooses the steps of an
 * inspection, and with them the hosts that a secret without hosts may go to.
 */
const withHosts =
  (read: SecretReader): SecretReader =>
  async (account, names) => {
    const secrets = await read(account, names);
    for (const [name, { hosts }] of secrets)
      if (hosts.length === 0)
        throw new RunFailure(
          "secret_unavailable",
          `The secret "${name}" names no hosts, and an inspection uses only secrets that do. Ask the operator of the service to set it again with \`--host\` for each of its hosts.`,
        );
    return secrets;
  };

/** Runs the steps of a task once, and collects the results. */
class Attempt {
  readonly batches: Batch[] = [];
  /** Samples of the values that transforms have changed, by batches. */
  readonly transformed: TransformSamples[] = [];
  capture: PageCapture | undefined;
  warnings: RunWarning[] = [];
  pagesLoaded = 0;
  readonly #deps: InspectDeps;
  readonly #task: InspectionTask;
  /** For each step, when it began (ms) and the address of the page at that time. */
  #begun: { index: number; at: number; url: string | null }[] = [];
  #ended = 0;

  constructor(deps: InspectDeps, task: InspectionTask) {
    this.#deps = deps;
    this.#task = task;
  }

  /** Runs the steps. Returns the failure of a step, or undefined if all steps succeeded. */
  async run(): Promise<RunFailure | undefined> {
    try {
      return await this.#scrape();
    } catch (error) {
      if (error instanceof RunFailure) return error;
      throw error;
    } finally {
      this.#ended = performance.now();
    }
  }

  async #scrape(): Promise<RunFailure | undefined> {
    const { table, scrape, readSecrets, upstreamFor, now, stopped } = this.#deps;
    const { account, pagination, pages, want, rows_limit, load_images } = this.#task;
    const job = {
      ...jobOf(this.#task),
      pagination: pagesLimited(pagination, pages),
      rowsLimit: pages > 1 ? ROWS_OF_PAGES : rows_limit,
      // A screenshot without images is of little use.
      loadImages: load_images ?? want.includes("screenshot"),
      isFirstRun: true,
    };
    const scrapeSignedIn = withSession(scrape, { table, readSecrets, now }, account, uuid());
    const batches = withTransforms(withSecrets(scrapeSignedIn, withHosts(readSecrets), account), {
      onSamples: (samples) => this.transformed.push(samples),
    })(job, {
      account,
      upstream: await upstreamFor(this.#task),
      turns: hostTurns(table, account, now),
      deadline: now().getTime() + BUDGET_MS,
      ...(stopped && { stopped }),
      onPageLoad: () => this.#spendPage(),
      onStep: (index, url) => this.#begin(index, url),
      capture: {
        wantsScreenshot: want.includes("screenshot"),
        wantsJson: want.includes("lists"),
        onCapture: (capture) => {
          this.capture = capture;
        },
      },
    });
    for (;;) {
      const next = await batches.next();
      if (next.done) {
        if (next.value === "done") return undefined;
        return next.value === "handover" ? timedOut() : next.value.failure;
      }
      this.batches.push(next.value);
      this.warnings = next.value.warnings ?? this.warnings;
    }
  }

  #spendPage(): void {
    const { credits_left, proxy } = this.#task;
    const credits = (this.pagesLoaded + 1) * creditMultipliers[proxy.type];
    if (credits_left !== null && credits > credits_left)
      throw new RunFailure(
        "credits_exhausted",
        "The account has used up its credits of this month. Wait for the next month, or ask the operator of the service to raise the limit.",
      );
    this.pagesLoaded += 1;
  }

  #begin(index: number, url: string | null): void {
    // After a transient failure, the engine repeats all steps from the first one.
    this.#begun = this.#begun.filter((step) => step.index < index);
    this.#begun.push({ index, url, at: performance.now() });
  }

  /** How long each step took, and the address of the page after it. */
  times(): Inspection["steps"] {
    return this.#begun.map(({ index, at }, position) => {
      const next = this.#begun[position + 1];
      return {
        index,
        type: this.#task.steps[index]?.type ?? "",
        ms: Math.round((next?.at ?? this.#ended) - at),
        url_after: (next ? next.url : this.capture?.url) ?? null,
      };
    });
  }
}

/** If several pages are read, the steps and the details of rows are left out: they would take too much of the time. */
const stepsFor = ({ steps, pages }: InspectionTask): Step[] =>
  pages === 1
    ? steps
    : steps.map((step) => {
        if (step.type !== "get_list") return step;
        const { details: _, each: __, ...list } = step;
        return list;
      });

const pagesLimited = (pagination: Pagination, pages: number): Pagination => {
  if (pages === 1 || pagination.type === "none") return { type: "none" };
  return { ...pagination, max_pages: Math.min(pages, pagination.max_pages ?? pages) };
};
