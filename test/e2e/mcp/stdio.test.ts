import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { books } from "../../../examples/shop/books.ts";
import { PROJECT_FOLDER } from "../../../lib/project-folder.ts";
import { newFolder } from "../../new-folder.ts";
import { startWorld, type World } from "../harness.ts";
import { ask, makeScraper } from "./agent.ts";

/* `gleaner mcp` as a client starts it: a process that speaks MCP on its standard input and output. */

let world: World;
const clients: Client[] = [];
beforeAll(async () => {
  world = await startWorld();
});
afterAll(async () => {
  for (const client of clients) await client.close();
  await world.stop();
});

async function connect(
  args: string[],
  { env = {}, mode }: { env?: Record<string, string>; mode?: "legacy" | "auto" } = {},
) {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [join(PROJECT_FOLDER, "bin", "gleaner.js"), "mcp", ...args],
    env: {
      PATH: process.env.PATH ?? "",
      HOME: world.data,
      XDG_CONFIG_HOME: join(world.data, "config"),
      ...env,
    },
    stderr: "pipe",
  });
  let said = "";
  transport.stderr?.on("data", (chunk) => {
    said += chunk;
  });
  const client = new Client({ name: "test", version: "1" }, mode && { versionNegotiation: { mode } });
  await client.connect(transport);
  clients.push(client);
  return { client, transport, said: () => said };
}

describe.each(["legacy", "auto"] as const)("a client that is %s", (mode) => {
  test("gets the same tools and instructions as over HTTP", async () => {
    const { client } = await connect(["serve", "--data", world.data], { mode });
    const { tools } = await client.listTools();
    expect(tools).toHaveLength(10);
    expect(client.getInstructions()).toContain("1. Call inspect_page");
    expect((await ask(client, "list_scrapers")).isError).toBe(false);
  });
});

test("an agent that follows the instructions gets the books of the shop", async () => {
  const { client, said } = await connect(["--data", world.data]);
  const { rows } = await makeScraper(client, `${world.shopUrl}/books`, {
    title: /^[^/]+$/,
    author: /^\p{Lu}[^/\d£]+$/u,
  });
  expect(rows.map(({ title }) => title)).toEqual(
    books.toSorted((one, other) => other.number - one.number).map(({ title }) => title),
  );
  expect(said()).toBe("");
});

test("it starts without a service, and each call says how to start one", async () => {
  const folder = await newFolder();
  const { client } = await connect(["--data", folder]);
  expect((await client.listTools()).tools).toHaveLength(10);
  const { isError, summary } = await ask(client, "list_scrapers");
  expect({ isError, summary }).toEqual({
    isError: true,
    summary: expect.stringMatching(/^No service is running on the data folder .*npx gleaner start/),
  });
});

test("a wrong key, and a service that is not there, are told by the calls", async () => {
  const wrong = await connect(["--url", world.service.url], { env: { GLEANER_KEY: "glr_wrong" } });
  expect((await ask(wrong.client, "list_scrapers")).summary).toContain("The API key is not valid.");
  const gone = await connect(["--url", "http://127.0.0.1:9"], { env: { GLEANER_KEY: "glr_wrong" } });
  expect((await ask(gone.client, "list_scrapers")).summary).toContain("can't be reached");
});

test("it ends with its input", async () => {
  const args = [join(PROJECT_FOLDER, "bin", "gleaner.js"), "mcp", "--data", world.data];
  const env = { ...process.env, NODE_OPTIONS: "" };
  const child = spawn(process.execPath, args, { stdio: ["pipe", "ignore", "ignore"], env });
  child.stdin.end();
  expect(await once(child, "exit")).toEqual([0, null]);
});
