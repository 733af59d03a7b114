import type { Row } from "../../contract/runs/run.ts";
import type { RowStep } from "../../contract/steps/action-steps.ts";
import { lateWarning } from "../warnings.ts";
import type { ListRun } from "./list-reader.ts";

/** What the steps of rows have come to, for warnings. */
export class RowFindings {
  readonly #run: ListRun;
  /** The steps that have found their element. */
  readonly #performed = new Set<number>();
  #count = 0;
  /** What the page had after the steps of the first row, and whether it had the same after those of all others. */
  #first: string | undefined;
  #areSame = true;

  constructor(run: ListRun) {
    this.#run = run;
  }

  performed(step: number): void {
    this.#performed.add(step);
  }

  /** Notes what the page had after the steps of a row. */
  read(row: Row, url: string): void {
    this.#count += 1;
    const text = JSON.stringify(row);
    this.#first ??= text;
    this.#areSame &&= text === this.#first;
    if (Object.keys(row).length > 0) return;
    this.#warn(
      "details_missing",
      `After the steps of some rows, the page has none of the fields of the details, so these rows lack them. The first: ${url}. Check the steps and the selectors against the page.`,
      1,
    );
  }

  /** To be called when a row was read after its steps. */
  async checkRequests(row: Row): Promise<void> {
    const { session, list } = this.#run;
    const late = await session.tab.network.late([row]);
    if (late !== undefined)
      session.warnings.add(lateWarning("values", session.tab.page.url(), late, list.index));
  }

  lost(url: string): void {
    this.#warn(
      "row_steps_skipped",
      `Some rows of the list on ${url} were gone when their steps were to be performed, so they have the values from before. Check whether the steps of other rows remove them.`,
      1,
    );
  }

  /** To be called at the end of the list. */
  warn(steps: readonly RowStep[]): void {
    const missing = steps.findIndex((_, at) => !this.#performed.has(at));
    const url = this.#run.session.tab.page.url();
    if (missing >= 0)
      this.#warn(
        "row_steps_skipped",
        `Step ${missing + 1} of "each" (${steps[missing]?.type}) found its element in no row of the list on ${url}. Check it against the page.`,
      );
    if (this.#areSame && this.#count > 1 && this.#first !== "{}")
      this.#warn(
        "details_repeated",
        `After the steps of each row, ${url} had the same values for the fields of the details. Check whether the steps show the row that they are for.`,
        this.#count,
      );
  }

  #warn(
    code: "details_missing" | "details_repeated" | "row_steps_skipped",
    message: string,
    count?: number,
  ): void {
    const { session, list } = this.#run;
    session.warnings.add({ code, message, step: list.index, ...(count !== undefined && { count }) });
  }
}
