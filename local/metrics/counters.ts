import { RunSource } from "../../functions/contract/runs/run-status.ts";
import type { FinishedRun, Meter } from "../../functions/meter.ts";
import { failureCodes } from "../../functions/runs/failure.ts";
import type { Metric, Sample } from "./exposition.ts";

/** Upper bounds of the durations of runs, in seconds. A run takes at most an hour. */
const BUCKETS = [1, 2, 5, 10, 30, 60, 120, 300, 600, 1800, 3600];
const OUTCOMES = ["delivered", "failed", "given_up"] as const;

/** Numbers by the value of a label. All values are there from the start: Prometheus does not see the first increment otherwise. */
const zeros = <K extends string>(keys: readonly K[]) =>
  Object.fromEntries(keys.map((key) => [key, 0])) as Record<K, number>;

/** Counts what happens since the service was started. */
export class Counters implements Meter {
  readonly #started = zeros(RunSource.options);
  readonly #failed = zeros(Object.keys(failureCodes) as (keyof typeof failureCodes)[]);
  readonly #attempts = zeros(OUTCOMES);
  /** How many runs took so long, by bucket; the last one has those that took longer than all bounds. */
  readonly #durations = new Array(BUCKETS.length + 1).fill(0);
  #successful = 0;
  #seconds = 0;
  #rows = 0;
  #pages = 0;
  #credits = 0;

  runStarted(source: RunSource): void {
    this.#started[source] += 1;
  }

  runFinished({ code, durationMs, rows, pages, credits }: FinishedRun): void {
    if (code === undefined) this.#successful += 1;
    else this.#failed[code] += 1;
    const seconds = durationMs / 1000;
    const bucket = BUCKETS.findIndex((bound) => seconds <= bound);
    this.#durations[bucket === -1 ? BUCKETS.length : bucket] += 1;
    this.#seconds += seconds;
    this.#rows += rows;
    this.#pages += pages;
    this.#credits += credits;
  }

  webhookAttempted(outcome: (typeof OUTCOMES)[number]): void {
    this.#attempts[outcome] += 1;
  }

  metrics(): Metric[] {
    return [
      counter("gleaner_runs_started_total", "Runs created, by source.", by("source", this.#started)),
      counter("gleaner_runs_finished_total", "Runs that ended, by status and error code.", [
        { labels: { status: "successful", code: "" }, value: this.#successful },
        ...by("code", this.#failed).map(({ labels, value }) => ({
          labels: { status: "failed", ...labels },
          value,
        })),
      ]),
      {
        name: "gleaner_run_duration_seconds",
        help: "Time of runs from the first claim to the end.",
        type: "histogram",
        samples: this.#histogram(),
      },
      counter("gleaner_rows_total", "Rows of the runs that ended.", [{ value: this.#rows }]),
      counter("gleaner_pages_total", "Pages of the runs that ended.", [{ value: this.#pages }]),
      counter("gleaner_credits_total", "Credits of the runs that ended.", [{ value: this.#credits }]),
      counter(
        "gleaner_webhook_attempts_total",
        "Attempts to deliver a webhook or an alert, by outcome.",
        by("outcome", this.#attempts),
      ),
    ];
  }

  #histogram(): Sample[] {
    let count = 0;
    const buckets = [...BUCKETS.map(String), "+Inf"].map((le, index): Sample => {
      count += this.#durations[index];
      return { suffix: "_bucket", labels: { le }, value: count };
    });
    return [...buckets, { suffix: "_sum", value: this.#seconds }, { suffix: "_count", value: count }];
  }
}

const by = (label: string, values: Readonly<Record<string, number>>): Sample[] =>
  Object.entries(values).map(([key, value]) => ({ labels: { [label]: key }, value }));

const counter = (name: string, help: string, samples: Sample[]): Metric => ({
  name,
  help,
  type: "counter",
  samples,
});
