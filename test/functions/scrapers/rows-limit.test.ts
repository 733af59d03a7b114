import { expect, test } from "@jest/globals";
import { createAccount } from "../../../functions/store/accounts.ts";
import { getScraper } from "../../../functions/store/scrapers.ts";
import { putScraper } from "../../put-scraper.ts";
import { startTable } from "../store/local-table.ts";

const table = await startTable();
for (const name of ["a", "b"])
  await createAccount(table, { name, credit_limit: null, rate_limit: null, created_at: "" });
const NOW = new Date("2031-05-06T10:00:00Z");
const definition = { name: "Lamps", steps: [{ type: "visit", url: "http://shop.example/" }] };

const put = (account: string, input: object) => putScraper(table, account, input, NOW);
const stated = async (account: string, id: string) => (await getScraper(table, account, id))?.rows_limit;

test("a limit that a definition does not state is shown, and sending it back does not state it", async () => {
  const scraper = await put("a", definition);
  expect(scraper.rows_limit).toBe(1_000);
  expect(await stated("a", scraper.id)).toBeUndefined();
  const { last_run: _, ...retrieved } = scraper;
  expect((await put("a", { ...retrieved, name: "Lights" })).rows_limit).toBe(1_000);
  expect(await stated("a", scraper.id)).toBeUndefined();
  await put("a", { ...retrieved, rows_limit: 7 });
  expect(await stated("a", scraper.id)).toBe(7);
});

test("a limit that a definition states is stored, also if it is the default one", async () => {
  const scraper = await put("b", { ...definition, rows_limit: 1_000 });
  expect(await stated("b", scraper.id)).toBe(1_000);
  await put("b", { ...scraper, name: "Lights" });
  expect(await stated("b", scraper.id)).toBe(1_000);
});
