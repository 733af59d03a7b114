import { expect, test } from "@jest/globals";
import { checkRunRequest } from "../../../functions/api/runs/check-run-request.ts";
import { ValidationError } from "../../../functions/contract/validate.ts";
import { createAccount } from "../../../functions/store/accounts.ts";
import { startTable } from "../store/local-table.ts";
import { definition, storeScraper } from "../store/samples.ts";

const table = await startTable();
const account = "checked";
await createAccount(table, { name: account, credit_limit: null, rate_limit: null, created_at: "" });
const { id: scraper_id } = await storeScraper(table, account, definition, new Date());
const deps = { table, allowHosts: () => ["127.0.0.1:9000", "[::1]:80"] };

async function problemsOf(body: unknown) {
  try {
    await checkRunRequest(deps, account, body);
  } catch (error) {
    if (error instanceof ValidationError) return error.problems.map(({ path }) => path).sort();
    throw error;
  }
  return [];
}

test("problems of overrides come together with all others", async () => {
  expect(
    await problemsOf({
      scraper_id,
      rows_limit: 0,
      webhook_url: "ftp://example.org/",
      steps: [{ id: "none", url: "https://example.org/" }, { id: 7 }, { id: "open", url: "no address" }],
    }),
  ).toEqual(["rows_limit", "steps[0].id", "steps[1].id", "steps[2].url", "webhook_url"]);
});

test.each([
  ["webhook_ulr", { webhook_ulr: "https://example.org/" }],
  ["row_limit", { row_limit: 5 }],
  ["step", { step: [] }],
  ["steps[0].vlaue", { steps: [{ id: "open", url: "https://example.org/books", vlaue: "x" }] }],
])("%s is taken for a typing error", async (path, fields) => {
  expect(await problemsOf({ scraper_id, ...fields })).toEqual([path]);
});

test("fields with quite another name are ignored", async () => {
  const step = { id: "open", url: "https://example.org/books", comment: "", x: 1 };
  expect(await problemsOf({ scraper_id, comment: "", trace_id: 7, steps: [step] })).toEqual([]);
});

test.each([
  "http://127.0.0.1/hook",
  "http://0x7f.1/hook",
  "http://2130706433:8080/hook",
  "http://10.1.2.3/hook",
  "http://169.254.169.254/latest",
  "http://[::1]:8080/hook",
  "http://[::ffff:10.0.0.1]/hook",
])("a webhook to %s is refused", async (webhook_url) => {
  expect(await problemsOf({ scraper_id, webhook_url })).toEqual(["webhook_url"]);
});

test.each(["http://127.0.0.1:9000/hook", "http://[::1]/hook", "https://example.org/hook", "http://9.9.9.9/"])(
  "a webhook to %s is not",
  async (webhook_url) => {
    expect(await problemsOf({ scraper_id, webhook_url })).toEqual([]);
  },
);
