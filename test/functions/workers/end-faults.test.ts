import { expect, test } from "@jest/globals";
import { RunFailure } from "../../../functions/runs/failure.ts";
import type { Scrape } from "../../../functions/scraping/job.ts";
import { creditsUsed } from "../../../functions/store/credits.ts";
import type { Table } from "../../../functions/store/table.ts";
import { startTable } from "../store/engines.ts";
import { withSend } from "../store/with-send.ts";
import { startLife } from "./life.ts";

/* Faults of the table when the end of a run is stored, after which another attempt resumes the run. */

const table = await startTable();

/** The same table, which refuses the end of a run. */
const refusingEnds = (): Table =>
  withSend(table, async (send, { input }) => {
    if (JSON.stringify(input).includes("finished_at")) throw new Error("The table is at fault.");
    return send();
  });

test("pages after the last batch count once, although the end has to be stored again", async () => {
  const scrape: Scrape = async function* (job, { onPageLoad }) {
    if (job.from === undefined) {
      onPageLoad();
      yield { rows: [{ n: "1" }], checkpoint: { page: 1 } };
    }
    onPageLoad();
    onPageLoad();
    throw new RunFailure("http_error", "It is down.");
  };
  const life = await startLife(table, { scrape });
  const run = await life.start();
  await life.execute(run, { table: refusingEnds() });
  expect(await life.read(run)).toMatchObject({ status: "running", credits_used: 1 });
  await life.execute(run);
  expect(await life.read(run)).toMatchObject({ status: "failed", credits_used: 3 });
  expect(await creditsUsed(table, life.account, "2026-11")).toBe(3);
});
