import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { PROJECT_FOLDER } from "../../lib/project-folder.ts";
import { type Site, startSite } from "../site/site.ts";
import { checkChange, checkModes, checkPermissions } from "./checks.ts";
import { checkConsole, expectNoConsole } from "./console.ts";
import { callEveryRoute } from "./every-route.ts";
import { type Deployed, deployOnMiniStack } from "./ministack.ts";
import { hasFailed, part } from "./part.ts";
import { runUnderEmulator } from "./runtime.ts";
import { callsWithTicket } from "./ticket-calls.ts";
import { Missing, readJson, run, until, which } from "./tools.ts";

/*
 * The stack and the functions' files with tools of AWS and of others: cfn-lint, a deployment on MiniStack, and AWS's
 * runtime interface emulator. A part that this machine has no tools for has
 * failed, with the reason.
 */
const PAGES = 5;
const ROWS = 20;
const templates = join(PROJECT_FOLDER, "cdk.out");

async function synthesize(): Promise<void> {
  await run("npx", ["cdk", "synth", "--quiet"], { cwd: PROJECT_FOLDER });
}

async function lint(): Promise<void> {
  const program = await which("cfn-lint");
  if (program === undefined) throw new Missing("cfn-lint is not installed: pip install cfn-lint");
  const files = (await readdir(templates)).filter((name) => name.endsWith(".template.json"));
  await run(
    program,
    files.map((name) => join(templates, name)),
    { cwd: PROJECT_FOLDER },
  );
}

async function startCatalogue(): Promise<{ site: Site; webhooks: Record<string, unknown>[] }> {
  const site = await startSite();
  const webhooks: Record<string, unknown>[] = [];
  for (let page = 1; page <= PAGES; page += 1) {
    const items = Array.from({ length: ROWS }, (_, row) => `<li>Item ${page}.${row}</li>`).join("");
    const next = page < PAGES ? `<a class="next" href="/${page + 1}">Next</a>` : "";
    site.setRoute(`/${page}`, `<title>Items</title><ul>${items}</ul>${next}`);
  }
  site.setRoute("/hook", async (request, response) => {
    const chunks = await Array.fromAsync(request as AsyncIterable<Buffer>);
    webhooks.push(JSON.parse(Buffer.concat(chunks).toString()));
    response.end();
  });
  return { site, webhooks };
}

const { site, webhooks } = await startCatalogue();

/** Makes an account with a key and a scraper; returns what starts a run of it, and what reads one. */
async function setUp(deployed: Deployed, ids: Record<string, string>) {
  await deployed.gleaner("account", "create", "default");
  const { key } = JSON.parse(await deployed.gleaner("key", "create", "--account", "default", "--json"));
  const definition = {
    name: "Items",
    steps: [
      { id: "open", type: "visit", url: site.url("/1") },
      { type: "get_list", selector: "li", fields: [{ name: "text" }] },
    ],
    pagination: { type: "next_button", selector: ".next" },
    webhook_url: site.url("/hook"),
  };
  const request = async (fn: string, event: object) => {
    const answer = await deployed.invoke(ids[fn] as string, {
      resource: "/runs",
      headers: { Authorization: `Bearer ${key}`, "Content-Type": "application/json" },
      queryStringParameters: null,
      pathParameters: null,
      body: null,
      isBase64Encoded: false,
      requestContext: { requestId: "verify" },
      ...event,
    });
    const body = JSON.parse(Buffer.from(String(answer.body), "base64").toString() || "null");
    if (Number(answer.statusCode) >= 300) throw new Error(`${fn}: ${JSON.stringify(body)}`);
    return body as Record<string, unknown>;
  };
  const stored = await request("create-scraper", {
    httpMethod: "POST",
    resource: "/scrapers",
    body: JSON.stringify(definition),
  });
  return {
    page: site.url("/1"),
    everyRoute: () => callEveryRoute(request, definition, site.url("/1")),
    start: () =>
      request("create-run", { httpMethod: "POST", body: JSON.stringify({ scraper_id: stored.id }) }),
    read: (id: string) =>
      request("get-run", { httpMethod: "GET", resource: "/runs/{id}", pathParameters: { id } }),
  };
}

function expectRows(run: Record<string, unknown>): void {
  const { status, result_rows: rows, credits_used } = run as { result_rows: unknown[] } & typeof run;
  if (status !== "successful" || rows.length !== PAGES * ROWS || credits_used !== PAGES)
    throw new Error(`Not the expected run: ${JSON.stringify({ ...run, result_rows: rows?.length })}`);
}

/** A resource of a template. */
interface Template {
  Type: string;
  Metadata?: Record<string, string>;
}

/** Logical id and folder of each function, by the name of its entry file. */
async function functionsOf(assembly: string): Promise<Record<string, { id: string; asset: string }>> {
  const { Resources } = await readJson(join(assembly, "first.template.json"));
  const found: Record<string, { id: string; asset: string }> = {};
  for (const [id, { Type, Metadata = {} }] of Object.entries<Template>(Resources)) {
    if (Type !== "AWS::Lambda::Function") continue;
    const construct = Metadata["aws:cdk:path"]?.split("/").at(-2) ?? "";
    const entry = construct.replace(/(?<!^)[A-Z]/g, (letter) => `-${letter}`).toLowerCase();
    found[entry] = { id, asset: join(assembly, Metadata["aws:asset:path"] ?? "") };
  }
  return found;
}

await part("cdk synth", synthesize);
await part("cfn-lint", lint);
let runId = "";
const deployed = await part("cdk bootstrap and cdk deploy on MiniStack", () =>
  deployOnMiniStack([site.host]),
);
if (deployed !== undefined) {
  try {
    const functions = await functionsOf(deployed.assembly);
    const ids = Object.fromEntries(Object.entries(functions).map(([name, { id }]) => [name, id]));
    const client = await part("accounts, keys and scrapers by gleaner --stack", () => setUp(deployed, ids));
    if (client !== undefined) {
      await part(`a run of ${PAGES} pages, from POST to its webhook`, async () => {
        const { id } = await client.start();
        runId = String(id);
        expectRows(await until("the webhook", async () => webhooks.find((run) => run.id === id), 120));
        expectRows(await client.read(String(id)));
      });
      await part("a sweep", async () => {
        const answer: unknown = await deployed.invoke(ids.sweep as string, {});
        if (answer !== null) throw new Error(`It answered ${JSON.stringify(answer)}`);
      });
      await part("a secret and an inspection by ticket", async () => {
        for (const [name, { event, answer }] of Object.entries(
          await callsWithTicket(deployed, functions, client.page),
        )) {
          const text = JSON.stringify(await deployed.invoke(ids[name] as string, event));
          if (!answer.test(text)) throw new Error(`${name} answered ${text.slice(0, 2_000)}`);
        }
      });
      // After the secret is set: they ask for the account's secrets, which are then cached for a minute.
      await part("the routes with a key", client.everyRoute);
      await part("every function under AWS's runtime interface emulator", () =>
        runUnderEmulator(deployed, functions, client, expectRows),
      );
    }
    await part("the console by MiniStack's CloudFront", () => checkConsole(deployed));
    await part("modes of the deployed files", () => checkModes(deployed.assembly));
    await part("permissions: the policies of the template allow each call", () => checkPermissions(deployed));
    await part("a changed configuration", () => checkChange(deployed, ids["execute-run"] as string));
    const isDestroyed = await part("cdk destroy on MiniStack", async () => {
      await deployed.destroy("changed");
      return true;
    });
    await part("nothing is left of the console", () => expectNoConsole(deployed));
    if (client !== undefined && isDestroyed) {
      await part("a stack with table.existing, on the table that was kept", async () => {
        await deployed.update("restored");
        expectRows(await client.read(runId));
        const { id } = await client.start();
        expectRows(await until("the webhook", async () => webhooks.find((run) => run.id === id), 120));
      });
      await part("its permissions", () => checkPermissions(deployed));
      await part("cdk destroy of that stack", () => deployed.destroy("restored"));
    }
  } finally {
    await deployed.stop();
  }
}
await site.close();
process.exit(hasFailed() ? 1 : 0);
