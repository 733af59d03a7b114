import { expect, test } from "@jest/globals";
import type { ScrapeJob } from "../../../../functions/scraping/job.ts";
import { sendHtml } from "../../../site/site.ts";
import { startEngineAndSite } from "../engine-and-site.ts";

const { engine, site } = await startEngineAndSite();
const PAGES = 12;

test("a list that is read by HTTP is resumed after each batch", async () => {
  site.setRoute("/list", (request, response) => {
    const page = Number(new URL(request.url ?? "", site.origin).searchParams.get("page") ?? 1);
    const rows = [3, 2, 1].map((back) => `<li class=card>Lamp ${page * 3 - back + 1}</li>`).join("");
    const next = page < PAGES ? `<a class=next href="/list?page=${page + 1}">Next</a>` : "";
    sendHtml(response, `<!doctype html><meta charset=utf-8><ul>${rows}</ul>${next}`);
  });
  const job: Pick<ScrapeJob, "steps" | "pagination" | "engine"> = {
    steps: [
      { type: "visit", url: site.url("/list") },
      { type: "get_list", selector: ".card", fields: [{ name: "name" }] },
    ],
    pagination: { type: "next_button", selector: ".next" },
    engine: "auto",
  };
  const lamps = Array.from({ length: PAGES * 3 }, (_, index) => ({ name: `Lamp ${index + 1}` }));
  const whole = await engine.run(job);
  expect(whole).toMatchObject({ rows: lamps, loads: PAGES });
  let rowCount = 0;
  for (const { rows, checkpoint } of whole.batches) {
    rowCount += rows.length;
    const from = { checkpoint: JSON.parse(JSON.stringify(checkpoint)), rowCount };
    const rest = await engine.run({ ...job, from });
    expect(rest.failure).toBeUndefined();
    expect(rest.rows).toEqual(lamps.slice(rowCount));
    // What is counted again is the page that the run resumes at.
    expect(rest.loads + rowCount / 3).toBe(PAGES);
  }
});
