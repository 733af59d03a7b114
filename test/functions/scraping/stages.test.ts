import { beforeEach, expect, test } from "@jest/globals";
import type { Stage } from "../../../functions/stages.ts";
import { startEngineAndSite } from "./engine-and-site.ts";

const times = new Map<Stage, number[]>();
beforeEach(() => times.clear());
const { engine, site } = await startEngineAndSite({
  wrap: (scrape) => (job, context) =>
    scrape(job, {
      ...context,
      onStage: (stage, ms) => times.set(stage, [...(times.get(stage) ?? []), ms]),
    }),
});

test("the engine reports how long each part of each page took", async () => {
  const page = (number: number) =>
    `<script>document.title = ${number}</script><ul><li>${number}</li></ul>${number < 3 ? `<a rel="next" href="/stages-${number + 1}">Next</a>` : ""}`;
  for (const number of [1, 2, 3]) site.setRoute(`/stages-${number}`, page(number));
  const { rows } = await engine.run({
    steps: [
      { type: "visit", url: site.url("/stages-1") },
      { type: "get_list", selector: "li", fields: [{ name: "number" }] },
    ],
    pagination: { type: "next_button", selector: "a" },
    concurrency: 1,
  });
  expect(rows.map(({ number }) => number)).toEqual(["1", "2", "3"]);
  expect(times.get("browser")).toHaveLength(1);
  expect(times.get("first_byte")).toHaveLength(3);
  expect(times.get("read")).toHaveLength(3);
  expect(times.get("settled")).toHaveLength(3);
  expect(times.get("connect")?.length).toBeGreaterThan(0);
});
