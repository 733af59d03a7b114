import { expect, test } from "@jest/globals";
import type { Stage } from "../../../functions/stages.ts";
import { readLog } from "../../../functions/store/runs/run-log.ts";
import { deliverWebhook } from "../../../functions/workers/deliver-webhook.ts";
import { startTable } from "../store/local-table.ts";
import { startLife } from "./life.ts";

const table = await startTable();
const life = () =>
  startLife(table, {
    scraper: { webhook_url: "https://receiver.example/" },
    async *scrape(_, { onStage }) {
      onStage?.("browser", 80);
      onStage?.("first_byte", 20);
      yield { rows: [{ title: "a" }], checkpoint: { page: 1 } };
      onStage?.("first_byte", 30);
      return "done";
    },
  });

test("a run's log and the log of the service say what the time was spent on", async () => {
  const { deps, start, execute, read, logged } = await life();
  const stages: Stage[] = [];
  const onStage = (stage: Stage) => void stages.push(stage);
  const ref = await start();
  await execute(ref, { onStage });
  const events = await readLog(table, await read(ref));
  const { message } = events.find(({ code }) => code === "stages") ?? {};
  expect(message).toMatch(
    /^Time by stage: queued 0 ms, claim \d+ ms, browser 80 ms, first byte 50 ms \(2 times\)\.$/,
  );
  expect(logged.find(({ message }) => message === "Run finished")?.fields.stages).toEqual({
    queued: 0,
    claim: expect.any(Number),
    browser: 80,
    first_byte: 50,
    write: expect.any(Number),
  });
  await deliverWebhook({ ...deps, onStage }, ref);
  expect(stages).toEqual(["claim", "queued", "browser", "first_byte", "first_byte", "write", "webhook"]);
});

test("without that, they do not mention it", async () => {
  const { start, execute, read, logged } = await life();
  const ref = await start();
  await execute(ref);
  const events = await readLog(table, await read(ref));
  expect(events.map(({ code }) => code)).toEqual(["started", "rows", "successful"]);
  expect(logged.find(({ message }) => message === "Run finished")?.fields.stages).toBeUndefined();
});
