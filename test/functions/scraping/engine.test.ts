import { expect, test } from "@jest/globals";
import { RunFailure } from "../../../functions/runs/failure.ts";
import { stopped } from "../../../functions/runs/run-limits.ts";
import type { Browsers } from "../../../functions/scraping/browser/browsers.ts";
import { createScraper } from "../../../functions/scraping/engine.ts";

test("a run that is stopped before its next attempt starts no browser again", async () => {
  const stopping = new AbortController();
  let leases = 0;
  const lease = async () => {
    leases += 1;
    setImmediate(() => stopping.abort(stopped()));
    throw new RunFailure("page_crashed", "It is gone.");
  };
  const job = { steps: [], pagination: { type: "none" }, rowsLimit: 1 } as const;
  const context = { deadline: Date.now() + 600_000, onPageLoad() {}, stopped: stopping.signal };
  const batches = createScraper({ lease } as unknown as Browsers)(job, context as never);
  await expect(batches.next()).rejects.toMatchObject({ code: "stopped" });
  expect(leases).toBe(1);
});
