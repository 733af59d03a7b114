import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Readable, Writable } from "node:stream";
import { isDeepStrictEqual } from "node:util";
import { webhookSecrets } from "../../functions/store/webhooks.ts";
import { newWebhookSecret } from "../../functions/webhooks/signature.ts";
import { PROJECT_FOLDER } from "../../lib/project-folder.ts";
import { startWorld, type World } from "../e2e/harness.ts";

/*
 * Builds, tests and packs the n8n nodes in clients/n8n, installs them beside n8n-core, the engine of n8n, and lets it run each
 * operation and the trigger against a service of this checkout. All of it is in a temporary folder.
 */

/** The n8n-core that the nodes are tested with. */
const N8N_CORE = "2.41.1";

/** What the lines of the host begin with. */
const ANSWER = "answer: ";

type Item = Record<string, unknown>;
type Answer = Record<string, unknown> & { items?: { json: Item; pairedItem: unknown }[]; error?: string };

const folder = await mkdtemp(join(tmpdir(), "gleaner-n8n-"));
/** The environment of a reader: without the settings of this project, which npm hands down. */
const env = {
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name))),
  // The engine keeps its settings in a folder of the user.
  N8N_USER_FOLDER: folder,
};

/** Builds, tests and packs the nodes, and installs them beside the engine. Returns the folder that they are in. */
async function install(): Promise<string> {
  const source = join(folder, "nodes");
  await cp(join(PROJECT_FOLDER, "clients", "n8n"), source, {
    recursive: true,
    filter: (path) => !/node_modules|dist$/.test(path),
  });
  const npmInstall = "npm install --ignore-scripts --no-audit --no-fund --loglevel=error";
  await run(npmInstall, source);
  await run("npm test --silent", source);
  await run(`npm pack --silent --pack-destination ${folder}`, source);
  const [packed = ""] = (await readdir(folder)).filter((name) => name.endsWith(".tgz"));
  await writeFile(join(folder, "package.json"), "{}");
  await run(`${npmInstall} n8n-core@${N8N_CORE} ./${packed}`, folder);
  await cp(join(import.meta.dirname, "n8n-host.mjs"), join(folder, "host.mjs"));
  return join(folder, "node_modules", "n8n-nodes-gleaner");
}

/** The engine with the nodes, in a process of its own. */
class Host {
  readonly #child: ChildProcessByStdio<Writable, Readable, null>;
  readonly #answers: AsyncIterator<string>;

  constructor(nodes: string, credential: object) {
    this.#child = spawn("node", ["host.mjs", nodes, JSON.stringify(credential)], {
      cwd: folder,
      env,
      stdio: ["pipe", "pipe", "inherit"],
    });
    this.#answers = createInterface({ input: this.#child.stdout })[Symbol.asyncIterator]();
  }

  async ask<T = Answer>(request: string, rest: object = {}): Promise<T> {
    this.#child.stdin.write(`${JSON.stringify({ request, ...rest })}\n`);
    for (;;) {
      const { value, done } = await this.#answers.next();
      if (done) throw new Error(`The engine ended at ${request}.`);
      // The engine prints notes of its own.
      if (value.startsWith(ANSWER)) return JSON.parse(value.slice(ANSWER.length));
    }
  }

  /** The items that the node makes of one item, or of others. */
  async items(parameters: object, input?: Item[]): Promise<Item[]> {
    const { items, error } = await this.ask("run", { parameters, input });
    if (items === undefined) throw new Error(`${JSON.stringify(parameters)}: ${error}`);
    return items.map(({ json }) => json);
  }

  async stop(): Promise<void> {
    this.#child.stdin.end();
    await once(this.#child, "exit");
  }
}

async function check(world: World, { nodes, port }: { nodes: string; port: number }): Promise<void> {
  const { account, api_key: apiKey } = world.service.credentials;
  const [webhookSecret = ""] = await world.withTable((table) =>
    webhookSecrets(table, account, newWebhookSecret),
  );
  const host = new Host(nodes, { baseUrl: `${world.service.url}/`, apiKey, webhookSecret });
  const unknown = new Host(nodes, { baseUrl: world.service.url, apiKey: "wrong", webhookSecret });
  const secretless = new Host(nodes, { baseUrl: world.service.url, apiKey, webhookSecret: "" });
  try {
    await checkPackage(host);
    const definition = await readFile(join(PROJECT_FOLDER, "examples", "shop-catalogue.json"), "utf8");
    const { id } = await world.putScraper(
      JSON.parse(definition.replace("http://localhost:4100", world.shopUrl)),
    );
    await checkRuns(world, host, id);
    await checkBatch(world, host, id);
    await checkChanges(world, host);
    await checkFailures(host, unknown, id);
    const { error = "" } = await secretless.ask("activate", {
      port,
      parameters: { events: [], scraperId: "" },
    });
    expectEqual(error.startsWith("The credential has no webhook secret."), true);
    console.log("All operations work.");
    await checkTrigger(world, host, { port, scraperId: id });
    console.log("The trigger works.");
  } finally {
    await host.stop();
    await unknown.stop();
    await secretless.stop();
  }
}

/** What n8n finds in the package. */
async function checkPackage(host: Host): Promise<void> {
  const icon = "icons/n8n-nodes-gleaner/dist/icons/gleaner.svg";
  const categories = ["Data & Storage", "Development"];
  expectEqual(await host.ask("loaded"), {
    nodes: [
      ["gleaner", icon, categories],
      ["gleanerTrigger", icon, categories],
    ],
    credentials: [["gleanerApi", icon]],
  });
}

async function checkRuns(world: World, host: Host, scraperId: string): Promise<void> {
  const start = { resource: "run", operation: "start", scraperId, wait: true, timeout: 5 };
  const values = { value: [{ step: "search", value: "={{ $json.word }}" }] };
  const [one] = await host.items({ ...start, options: { rowsLimit: 1, values } }, [{ word: "paperback" }]);
  expectEqual(one?.name, "Middlemarch");
  const rows = await host.items({ ...start, options: {} });
  expectEqual(rows.length, 16);
  const [started] = await host.items({ ...start, wait: false, options: { rowsLimit: 2 } });
  expectEqual(started?.status, "running");
  const run = await world.finished(String(started?.id));
  const get = { resource: "run", operation: "getRows", id: run.id };
  expectEqual(await host.items({ ...get, returnAll: true }), rows.slice(0, 2));
  expectEqual(await host.items({ ...get, returnAll: false, limit: 1 }), rows.slice(0, 1));
  const scrapers = await host.items({ resource: "scraper", operation: "getMany", returnAll: true });
  expectEqual(
    scrapers.map(({ id }) => id),
    [scraperId],
  );
  const name = "Foxed & Bound: hardback fiction";
  const getScrapers = { method: "getScrapers", parameters: {} };
  expectEqual(await host.ask("options", getScrapers), [{ name, value: scraperId, description: scraperId }]);
  expectEqual(await host.ask("options", { method: "getSteps", parameters: { scraperId } }), [
    { name: "open (visit)", value: "open" },
    { name: 'category (select_dropdown "Category")', value: "category" },
    { name: 'search (write_input "Search books")', value: "search" },
  ]);
}

async function checkBatch(world: World, host: Host, scraperId: string): Promise<void> {
  const start = { resource: "batch", operation: "start", scraperId, timeout: 5 };
  const input = [
    { search: "paperback", article: 1 },
    { search: "hardback", article: 2 },
  ];
  const options = { rowsLimit: 1, concurrency: 2 };
  const { items } = await host.ask("run", { parameters: { ...start, wait: true, options }, input });
  expectEqual(
    items?.map(({ json }) => [json["input.search"], json["input.article"], json.name]),
    [
      ["paperback", "1", "Middlemarch"],
      ["hardback", "2", "Vanity Fair"],
    ],
  );
  expectEqual(items?.[0]?.pairedItem, [{ item: 0 }, { item: 1 }]);
  const [batch] = await host.items({ ...start, wait: false, options }, input);
  await world.finishedBatch(String(batch?.id));
  const rows = await host.items({ resource: "batch", operation: "getRows", id: batch?.id, returnAll: true });
  expectEqual(
    rows,
    items?.map(({ json }) => json),
  );
}

/** Compares two runs of a page that stays as it is: there are no changes. */
async function checkChanges(world: World, host: Host): Promise<void> {
  const { id } = await world.putScraper({
    name: "Changes",
    steps: [
      { type: "visit", url: `${world.shopUrl}/books` },
      {
        type: "get_list",
        selector: ".book-card",
        key: ["name"],
        fields: [{ name: "name", selector: ".book-title" }],
      },
    ],
  });
  const run = async () => {
    const { body } = await world.post("/v1/runs", { scraper_id: id });
    return (await world.finished(body.id)).id;
  };
  await run();
  const get = { resource: "run", operation: "getChanges", kinds: ["new", "changed", "removed"] };
  expectEqual(await host.items({ ...get, id: await run() }), []);
}

async function checkFailures(host: Host, unknown: Host, scraperId: string): Promise<void> {
  const start = { resource: "run", operation: "start", scraperId, wait: true, timeout: 5 };
  const options = { values: { value: [{ step: "category", value: "No such category" }] } };
  const failed = await host.ask("run", { parameters: { ...start, options } });
  expectEqual(failed.description, "Code: option_not_found");
  const kept = await host.ask("run", { parameters: { ...start, options }, onError: "continueRegularOutput" });
  expectEqual(kept.items, [{ json: { error: failed.error }, pairedItem: { item: 0 } }]);
  const parameters = { resource: "run", operation: "getRows", id: scraperId, returnAll: true };
  const missing = await host.ask("run", { parameters });
  if (!/run/.test(String(missing.error))) throw new Error(`The message is ${missing.error}`);
  const denied = await unknown.ask("run", { parameters });
  if (!/unauthorized/.test(String(denied.error))) throw new Error(`The message is ${denied.error}`);
}

/** Lets the trigger wait for the end of a run. */
async function checkTrigger(
  world: World,
  host: Host,
  { port, scraperId }: { port: number; scraperId: string },
): Promise<void> {
  const hooks = async () => (await world.call<{ data: object[] }>("/v1/hooks")).body.data;
  const parameters = { events: ["run.finished"], scraperId };
  const { url } = await host.ask("activate", { port, parameters });
  expectEqual(
    (await hooks()).map((hook) => ({ ...hook, id: "", created_at: "" })),
    [
      {
        id: "",
        url,
        format: "standard",
        ...{ events: ["run.finished"], scraper_id: scraperId },
        disabled: null,
        created_at: "",
      },
    ],
  );
  const body = JSON.stringify({ type: "run.finished" });
  const headers = {
    "webhook-id": "a",
    "webhook-timestamp": `${Math.floor(Date.now() / 1000)}`,
    "webhook-signature": "v1,AAAA",
  };
  const forged = await fetch(String(url), { method: "POST", body, headers });
  expectEqual(forged.status, 401);
  const started = await world.post("/v1/runs", { scraper_id: scraperId, rows_limit: 1 });
  const run = await world.finished(started.body.id);
  const [event] = await host.ask<{ type: string; data: { run: { id: string } } }[]>("event");
  expectEqual([event?.type, event?.data.run.id], ["run.finished", run.id]);
  await host.ask("deactivate");
  expectEqual(await hooks(), []);
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
}

function expectEqual(actual: unknown, expected: unknown): void {
  if (!isDeepStrictEqual(actual, expected))
    throw new Error(`${JSON.stringify(actual)} is not ${JSON.stringify(expected)}`);
}

async function run(command: string, cwd: string): Promise<void> {
  console.log(`$ ${command}`);
  const child = spawn("sh", ["-c", command], { cwd, env, stdio: ["ignore", "inherit", "inherit"] });
  const [status] = await once(child, "exit");
  if (status !== 0) throw new Error(`${command} exited with status ${status}`);
}

try {
  const nodes = await install();
  const port = await freePort();
  const world = await startWorld({ allowHosts: [`127.0.0.1:${port}`] });
  try {
    await check(world, { nodes, port });
  } finally {
    await world.stop();
  }
  console.log(`The nodes work in n8n-core ${N8N_CORE}.`);
} catch (error) {
  console.log(`FAILED: ${(error as Error).message}`);
  process.exitCode = 1;
} finally {
  await rm(folder, { recursive: true, force: true });
}
