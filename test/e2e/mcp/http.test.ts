import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { createApiKey } from "../../../functions/accounts/create-key.ts";
import { createAccount, setLimits } from "../../../functions/store/accounts.ts";
import { type Site, startSite } from "../../site/site.ts";
import { startWorld, type World } from "../harness.ts";
import { allRows, ask, idIn, makeScraper } from "./agent.ts";
import { pages } from "./pages.ts";

/* MCP over HTTP by the SDK's own client, on the real service and a real browser. */

const TOOLS = [
  "check_scraper",
  "get_rows",
  "get_run",
  "get_scraper",
  "inspect_page",
  "list_scrapers",
  "save_scraper",
  "start_run",
  "stop_run",
];
const ANSWER_MAX = 25_000;

let world: World;
let site: Site;
let client: Client;
beforeAll(async () => {
  site = await startSite();
  world = await startWorld({ allowHosts: [site.host] });
  await world.withTable((table) => setLimits(table, "default", { rate_limit: 100_000 }));
  client = await connect();
});
afterAll(async () => {
  await client.close();
  await world.stop();
  await site.close();
});

async function connect(key = world.service.credentials.api_key, mode?: "legacy" | "auto"): Promise<Client> {
  const made = new Client({ name: "test", version: "1" }, mode && { versionNegotiation: { mode } });
  const transport = new StreamableHTTPClientTransport(new URL(`${world.service.url}/v1/mcp`), {
    requestInit: { headers: { authorization: `Bearer ${key}` } },
  });
  await made.connect(transport);
  return made;
}

/** A scraper of one list, which is stored, and a run of it that has ended. */
async function runOf(html: string, fields: object[], selector = "li"): Promise<string> {
  const path = site.newPath();
  site.setRoute(path, html);
  const definition = {
    name: "Rows",
    steps: [
      { type: "visit", url: site.url(path) },
      { type: "get_list", selector, fields },
    ],
    rows_limit: 100_000,
  };
  const scraper = idIn((await ask(client, "save_scraper", { definition })).summary);
  const run = idIn((await ask(client, "start_run", { scraper_id: scraper })).summary);
  await world.finished(run);
  return run;
}

describe("the server", () => {
  test.each(["legacy", "auto"] as const)(
    "lists its tools and its instructions to a client that is %s",
    async (mode) => {
      const other = await connect(undefined, mode);
      const { tools } = await other.listTools();
      expect(tools.map(({ name }) => name).sort()).toEqual(TOOLS);
      for (const { name, description, inputSchema } of tools) {
        expect(description?.length).toBeGreaterThan(40);
        for (const [field, schema] of Object.entries(inputSchema.properties ?? {}))
          expect({
            name,
            field,
            described: Boolean((schema as { description?: string }).description),
          }).toEqual({
            name,
            field,
            described: true,
          });
      }
      expect(other.getInstructions()).toContain("1. Call inspect_page");
      expect(other.getServerVersion()).toMatchObject({ name: "gleaner" });
      await other.close();
    },
  );

  test("refuses a wrong key and none", async () => {
    for (const authorization of ["Bearer glr_wrong", ""]) {
      const { status, body } = await world.call("/v1/mcp", {
        method: "POST",
        headers: { authorization, "content-type": "application/json" },
        body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" }),
      });
      expect([status, body]).toEqual([401, { message: "You are unauthorized to perform this request." }]);
    }
    await expect(connect("glr_wrong")).rejects.toThrow();
  });

  test("says that a tool is unknown", async () => {
    await expect(client.callTool({ name: "delete_scraper", arguments: {} })).rejects.toThrow(
      "delete_scraper",
    );
  });
});

describe("an agent that follows the instructions", () => {
  test("gets the books of the shop", async () => {
    const { rows } = await makeScraper(client, `${world.shopUrl}/books`, {
      title: /^[^/]+$/,
      price: /^[£€$]\d/,
    });
    console.log(rows.length, rows[0]);
    expect(rows.length).toBeGreaterThan(0);
  });

  test.each(pages)("gets the rows of $name", async ({ routes, wanted, rows: expected }) => {
    const at = site.newPath();
    for (const [path, html] of Object.entries(routes)) site.setRoute(at + path, html.replaceAll("{at}", at));
    const { rows } = await makeScraper(client, site.url(`${at}/`), wanted);
    expect(rows).toEqual(expected);
  });
});

test("rows that do not fit are cut between two rows, with where to go on", async () => {
  const items = Array.from({ length: 400 }, (_, index) => `<li>${index} ${"Grüße 🦊 ".repeat(20)}</li>`);
  const run = await runOf(`<ul>${items.join("")}</ul>`, [{ name: "text" }]);
  const first = await ask(client, "get_rows", { run_id: run, limit: 1_000 });
  expect(first.length).toBeLessThanOrEqual(ANSWER_MAX);
  expect(first.length).toBeGreaterThan(ANSWER_MAX * 0.9);
  expect(first.summary).toMatch(/^Rows 0 to \d+ of 400\. Call get_rows with offset \d+ for the next ones\.$/);
  const rows = await allRows(client, run);
  expect(rows.map(({ text }) => Number.parseInt(text ?? "", 10))).toEqual(items.map((_, index) => index));
  expect(rows[399]?.text).toBe(`399 ${"Grüße 🦊 ".repeat(20)}`.trim());
});
void createAccount;
void createApiKey;
