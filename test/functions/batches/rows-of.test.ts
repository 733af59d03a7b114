import { expect, test } from "@jest/globals";
import { inputsOfRows } from "../../../functions/batches/sources/rows-of.ts";
import { startTable } from "../store/local-table.ts";
import { comparedRuns, goods } from "../workers/compared-runs.ts";

const table = await startTable();

test("of a scraper, the rows of a run that somebody has limited or changed are not taken", async () => {
  const { run, life } = await comparedRuns(table);
  await run(goods("a b c"));
  await run(goods("a b"), { rows_limit: 2 });
  await run(goods("x"), { steps: [{ id: "step-0", url: "https://shop.example/other" }] });
  await run(goods("y"), { only_new: true });
  const rowsOf = { scraper_id: life.scraper.id, field: "sku", step: "open" };
  const { inputs } = await inputsOfRows({ table }, life.account, rowsOf);
  expect(inputs).toEqual([{ open: "a" }, { open: "b" }, { open: "c" }]);
});
