import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { chmod, chown, copyFile, cp, mkdir, mkdtemp, readdir, readFile, stat } from "node:fs/promises";
import { join, relative } from "node:path";
import { buffer, json } from "node:stream/consumers";
import { gunzipSync } from "node:zlib";
import { SQSClient } from "@aws-sdk/client-sqs";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { buildConsole } from "../../../console/build/build.ts";
import { headersOf } from "../../../console/build/headers.ts";
import { createApiKey } from "../../../functions/accounts/create-key.ts";
import { routes } from "../../../functions/contract/routes.ts";
import { createQueues } from "../../../functions/queues.ts";
import type { StoredRun } from "../../../functions/runs/run.ts";
import { startRun } from "../../../functions/runs/start-run.ts";
import { toStored } from "../../../functions/secrets/secret.ts";
import { createAccount } from "../../../functions/store/accounts.ts";
import { getRun } from "../../../functions/store/runs/runs.ts";
import type { Table } from "../../../functions/store/table.ts";
import { issueTicket } from "../../../functions/store/tickets.ts";
import { openLocalTable, TABLE_NAME, tableOf } from "../../../local/backend.ts";
import type { LocalDynamoDb } from "../../../local/dynamodb/client.ts";
import { type Endpoint, serveDynamoDb, serveSqs } from "../../aws-endpoints.ts";
import { type FunctionResource, functionsOf, newStack } from "../../lib/synth.ts";
import { newFolder } from "../../new-folder.ts";
import { putScraper } from "../../put-scraper.ts";
import { type Site, startSite } from "../../site/site.ts";

/** Nobody in particular: what Lambda's sandbox user may do here is what everybody may. */
const NOBODY = 65_534;
const ACCOUNT = "acme";
/** Lambda's limits on what a function's files take, and ours on those that answer requests. */
const MAX_ASSET_BYTES = 250 * 1024 * 1024;
const MAX_API_BUNDLE_BYTES = 600_000;
/** The SDK of MCP takes 442 kB, of which 153 kB are a validator that it always loads. */
const MAX_MCP_BUNDLE_BYTES = 900_000;
const now = () => new Date();

let folder: string;
let assets: string;
let functions: Record<string, FunctionResource>;
let dynamoDb: LocalDynamoDb;
let table: Table;
let dynamoDbEndpoint: Endpoint;
let sqs: Awaited<ReturnType<typeof serveSqs>>;
let site: Site;

beforeAll(async () => {
  folder = await newFolder();
  await chmod(folder, 0o755);
  // Where node_modules lies, others than this user may not go.
  await copyFile(process.execPath, join(folder, "node"));
  assets = join(folder, "cdk.out");
  // Whoever deploys may keep new files to themselves.
  const umask = process.umask(0o077);
  const { stack, template, app } = newStack({ console: true }, { bundleTo: assets });
  app.synth();
  process.umask(umask);
  functions = functionsOf(template, stack);
  dynamoDb = openLocalTable(join(folder, "table.sqlite"));
  table = tableOf(dynamoDb);
  dynamoDbEndpoint = await serveDynamoDb(dynamoDb);
  sqs = await serveSqs();
  site = await startSite();
  await createAccount(table, {
    name: ACCOUNT,
    credit_limit: null,
    rate_limit: null,
    created_at: now().toISOString(),
  });
}, 300_000);

afterAll(async () => {
  await site?.close();
  sqs?.close();
  dynamoDbEndpoint?.close();
  dynamoDb?.close();
});

/** The folder with a function's files. */
function assetOf({ properties }: FunctionResource): string {
  const { S3Key } = properties.Code as { S3Key: string };
  return join(assets, `asset.${S3Key.replace(/\.zip$/, "")}`);
}

/** What a folder has, at any depth, with the modes that are not those of a link. */
async function filesIn(folder: string): Promise<{ path: string; bytes: number; mode: string }[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return Promise.all(
    entries
      .filter((entry) => !entry.isSymbolicLink())
      .map(async (entry) => {
        const path = join(entry.parentPath, entry.name);
        const { size, mode } = await stat(path);
        const kind = entry.isDirectory() ? "folder" : "file";
        return {
          path: relative(folder, path),
          bytes: entry.isFile() ? size : 0,
          mode: `${kind} ${(mode & 0o777).toString(8)}`,
        };
      }),
  );
}

/** What a function finds in its environment: what the stack sets, pointed to this test, and what Lambda sets. */
async function environmentOf(
  { variables }: FunctionResource,
  taskRoot: string,
): Promise<Record<string, string>> {
  const values: Record<string, string> = {
    TABLE_NAME,
    RUNS_QUEUE_URL: `${sqs.url}/runs`,
    WEBHOOKS_QUEUE_URL: `${sqs.url}/webhooks`,
    BATCHES_QUEUE_URL: `${sqs.url}/batches`,
    SECRETS_FUNCTION: "read-secrets",
    BASE_URL: site.origin,
  };
  const set = Object.entries(variables).map(([name, value]) => [name, values[name] ?? String(value)]);
  return {
    ...Object.fromEntries(set),
    LAMBDA_TASK_ROOT: taskRoot,
    AWS_LAMBDA_FUNCTION_NAME: "bundle",
    AWS_EXECUTION_ENV: "AWS_Lambda_nodejs24.x",
    // Traced, to a daemon that is not there: UDP does not mind.
    _X_AMZN_TRACE_ID: "Root=1-65f0c0de-0123456789abcdef01234567;Parent=0123456789abcdef;Sampled=1",
    AWS_XRAY_DAEMON_ADDRESS: "127.0.0.1:9",
    AWS_REGION: "us-east-1",
    AWS_ACCESS_KEY_ID: "local",
    AWS_SECRET_ACCESS_KEY: "local",
    AWS_ENDPOINT_URL_DYNAMODB: dynamoDbEndpoint.url,
    AWS_ENDPOINT_URL_SQS: sqs.url,
    AWS_ENDPOINT_URL_SCHEDULER: site.origin,
    AWS_ENDPOINT_URL_SSM: site.origin,
    AWS_ENDPOINT_URL_LAMBDA: site.origin,
    AWS_ENDPOINT_URL_S3: site.origin,
    ALLOW_HOSTS: new URL(site.origin).host,
  };
}

interface Invocation {
  answer: Record<string, unknown>;
  surroundings: Record<string, unknown>;
  log: string;
}

/** Calls the handler of a function's files in a process of its own. `asNobody`: without a right to write but to /tmp. */
async function invoke(entry: string, event: object, { asNobody = false } = {}): Promise<Invocation> {
  const place = await mkdtemp(join(folder, "sandbox-"));
  const fn = functions[entry] as FunctionResource;
  const taskRoot = join(place, "task");
  await cp(assetOf(fn), taskRoot, { recursive: true });
  await copyFile(join(import.meta.dirname, "invoke.mjs"), join(place, "invoke.mjs"));
  const answers = join(place, "answers");
  await mkdir(answers);
  if (asNobody) {
    await makeReadOnly(taskRoot);
    await chmod(place, 0o755);
    await chown(answers, NOBODY, NOBODY);
  }
  const answerFile = join(answers, "answer.json");
  const child = spawn(
    join(folder, "node"),
    [join(place, "invoke.mjs"), JSON.stringify(event), answerFile, "60000"],
    {
      cwd: taskRoot,
      env: await environmentOf(fn, taskRoot),
      stdio: ["ignore", "pipe", "pipe"],
      ...(asNobody && { uid: NOBODY, gid: NOBODY }),
    },
  );
  let log = "";
  for (const output of [child.stdout, child.stderr]) output.on("data", (data) => (log += data));
  const [code] = await once(child, "close");
  if (code !== 0) throw new Error(`The bundle ended with ${code}:\n${log}`);
  return { ...JSON.parse(await readFile(answerFile, "utf8")), log };
}

async function makeReadOnly(path: string): Promise<void> {
  await chmod(path, 0o555);
  for (const entry of await readdir(path, { recursive: true, withFileTypes: true })) {
    const file = join(entry.parentPath, entry.name);
    const executable = entry.isDirectory() || ((await stat(file)).mode & 0o111) !== 0;
    await chmod(file, executable ? 0o555 : 0o444);
  }
}

/** Starts a run of a catalogue of three pages, as a request would, and takes its message off the queue. */
async function queueRun(): Promise<{ run: StoredRun; event: object }> {
  for (const page of [1, 2, 3]) {
    const items = [1, 2]
      .map((item) => `<li class="book">Book ${page}.${item} <b>${page}0 €</b></li>`)
      .join("");
    const next = page < 3 ? `<a class="next" href="/books/${page + 1}">Next</a>` : "";
    site.setRoute(`/books/${page}`, `<title>Books</title><ul>${items}</ul>${next}`);
  }
  const client = new SQSClient({
    endpoint: sqs.url,
    region: "us-east-1",
    credentials: { accessKeyId: "local", secretAccessKey: "local" },
  });
  const urls = {
    runs: `${sqs.url}/runs`,
    webhooks: `${sqs.url}/webhooks`,
    batches: `${sqs.url}/batches`,
  };
  const queues = createQueues(client, urls, ({ account }) => issueTicket(table, account, now()));
  const definition = {
    name: "Books",
    steps: [
      { type: "visit", url: site.url("/books/1?key={{secret:key}}") },
      { type: "get_list", selector: ".book", fields: [{ name: "price", selector: "b" }] },
    ],
    pagination: { type: "next_button", selector: ".next" },
    webhook_url: site.url("/hook"),
  };
  const scraper = await putScraper(table, ACCOUNT, definition, now());
  const request = { scraper_id: scraper.id };
  const started = await startRun(
    { table, queues, now, log: { info() {}, error() {} } },
    { account: ACCOUNT, source: "api", request },
  );
  if (started.outcome !== "started") throw new Error(started.outcome);
  return { run: started.run as StoredRun, event: takeMessage("runs") };
}

/** The next message of a queue, as the event source mapping hands it over. */
function takeMessage(queue: string): object {
  return { Records: [{ messageId: "1", body: sqs.take(queue)?.body }] };
}

describe("files", () => {
  test("each function's are smaller than Lambda takes; everybody may read them, and run programs, although whoever deploys keeps theirs private", async () => {
    const programs = new Set<string>();
    for (const fn of Object.values(functions)) {
      const files = await filesIn(assetOf(fn));
      expect(files.reduce((sum, { bytes }) => sum + bytes, 0)).toBeLessThan(MAX_ASSET_BYTES);
      for (const { path, mode } of files) {
        if (mode === "file 755") programs.add(path);
        else expect({ path, mode }).toEqual({ path, mode: expect.stringMatching(/^(folder 755|file 644)$/) });
      }
    }
    expect([...programs]).toContainEqual(expect.stringMatching(/^chromium-[\d.]+\/chromium$/));
    expect(programs).not.toContain("index.js");
  });

  test("those that load Playwright are those that have it, with a browser", async () => {
    const having: string[] = [];
    for (const [name, fn] of Object.entries(functions)) {
      const files = await readdir(assetOf(fn), { recursive: true });
      const has = files.some((file) => file.endsWith("playwright-core/package.json"));
      const code = await readFile(join(assetOf(fn), "index.js"), "utf8");
      expect({ name, has: code.includes('require("playwright-core")') }).toEqual({ name, has });
      if (has) having.push(name);
    }
    expect(having.sort()).toEqual(["execute-inspection", "execute-run"]);
  });

  test("those that answer requests are small, with a source map beside them", async () => {
    for (const name of Object.keys(routes)) {
      const entry = name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
      const asset = assetOf(functions[entry] as FunctionResource);
      expect(await readdir(asset)).toEqual(["index.js", "index.js.map"]);
      const most = name === "callMcp" ? MAX_MCP_BUNDLE_BYTES : MAX_API_BUNDLE_BYTES;
      expect((await stat(join(asset, "index.js"))).size).toBeLessThan(most);
    }
  });
});

/** What a client would get, byte by byte. */
const bodyOf = ({ answer }: Invocation) => Buffer.from(String(answer.body), "base64");

describe("the API's bundles", () => {
  const request = (headers: object, id: string) => ({
    httpMethod: "GET",
    resource: "/runs/{id}",
    path: `/runs/${id}`,
    headers,
    queryStringParameters: null,
    pathParameters: { id },
    body: null,
    isBase64Encoded: false,
    requestContext: { requestId: "req-1" },
  });

  test("stream a run to whose key it is, and tell others nothing", async () => {
    const { run } = await queueRun();
    const { key } = await createApiKey(table, ACCOUNT, now());
    const [found, refused] = await Promise.all([
      invoke("get-run", request({ Authorization: `Bearer ${key}` }, run.id)),
      invoke("get-run", request({}, run.id)),
    ]);
    expect(found.answer).toMatchObject({ statusCode: 200, headers: { "x-request-id": "req-1" } });
    expect(JSON.parse(bodyOf(found).toString())).toMatchObject({
      id: run.id,
      status: "running",
    });
    expect(refused.answer).toMatchObject({ statusCode: 401 });
    expect(found.log + refused.log).not.toContain(key);
  });

  test("compress what they stream for who asks for it", async () => {
    const runs: string[] = [];
    for (let count = 0; count < 4; count += 1) runs.unshift((await queueRun()).run.id);
    const { key } = await createApiKey(table, ACCOUNT, now());
    const headers = { Authorization: `Bearer ${key}`, "Accept-Encoding": "gzip, deflate, br" };
    const list = await invoke("list-runs", { ...request(headers, ""), resource: "/runs" });
    expect(list.answer).toMatchObject({ statusCode: 200, headers: { "content-encoding": "gzip" } });
    const { data } = JSON.parse(gunzipSync(bodyOf(list)).toString());
    expect(data.map(({ id }: { id: string }) => id).slice(0, 4)).toEqual(runs);
  });
});

describe("the bundle for requests that no route matches", () => {
  test("answers with 404, and says what is left of the key's rate limit", async () => {
    const { key } = await createApiKey(table, ACCOUNT, now());
    const { answer, log } = await invoke("unknown-route", {
      httpMethod: "DELETE",
      resource: "/{unknown+}",
      path: "/none",
      headers: { Authorization: `Bearer ${key}` },
      queryStringParameters: null,
      pathParameters: { unknown: "none" },
      body: null,
      isBase64Encoded: false,
      requestContext: { requestId: "req-1", path: "/v1/none" },
    });
    expect(answer).toMatchObject({
      statusCode: 404,
      headers: { "x-request-id": "req-1", ratelimit: expect.stringContaining("r=49") },
    });
    expect(log).not.toContain(key);
  });
});

describe("the bundle for agents", () => {
  test("tells its tools to whose key it is, and calls the API at its own address", async () => {
    const { key } = await createApiKey(table, ACCOUNT, now());
    site.setRoute("/v1/scrapers", (_request, response) => {
      response.end(JSON.stringify({ data: [], next_page: null }));
    });
    const ask = async (message: object) => {
      const invocation = await invoke("call-mcp", {
        httpMethod: "POST",
        resource: "/mcp",
        path: "/mcp",
        headers: {
          Authorization: `Bearer ${key}`,
          "Content-Type": "application/json",
          Accept: "application/json, text/event-stream",
        },
        queryStringParameters: null,
        pathParameters: null,
        body: Buffer.from(JSON.stringify({ jsonrpc: "2.0", id: 1, ...message })).toString("base64"),
        isBase64Encoded: true,
        requestContext: { requestId: "req-1" },
      });
      expect(invocation.answer).toMatchObject({
        statusCode: 200,
        headers: { "content-type": "text/event-stream", "x-request-id": "req-1" },
      });
      expect(invocation.log).not.toContain(key);
      return bodyOf(invocation).toString();
    };
    expect(await ask({ method: "tools/list" })).toContain('"name":"inspect_page"');
    const call = { name: "list_scrapers", arguments: {} };
    expect(await ask({ method: "tools/call", params: call })).toContain("The account has no scrapers yet.");
    expect(site.requests).toContain("/v1/scrapers?page=1");
  });
});

describe("the other bundles", () => {
  test("sweep, and say that they did", async () => {
    const { log } = await invoke("sweep", {});
    expect(log).toContain('"Sweeps":1');
    expect(log).not.toContain('"ERROR"');
  });

  test("take away the schedule of a scraper that is gone", async () => {
    const id = "01a1fc60-be76-7521-95ca-660000000099";
    site.setRoute(`/schedules/${id}`, (_request, response) => {
      response.writeHead(404, { "x-amzn-errortype": "ResourceNotFoundException" }).end("{}");
    });
    const occurrence = { account: ACCOUNT, scraper_id: id, scheduled_at: "2026-01-01T00:00:00.000Z" };
    await invoke("start-scheduled-run", occurrence);
    const removal = site.requests.find((path) => path.startsWith(`/schedules/${id}?`)) ?? "";
    expect(new URL(removal, site.origin).searchParams.get("groupName")).toBe("gleaner-prod-schedules");
  });
});

describe("the bundle that publishes the console", () => {
  test("has the files of the console, puts them into the bucket, and tells CloudFormation", async () => {
    const { files } = await buildConsole();
    const published = new Map<string, string>();
    for (const path of files.keys()) {
      site.setRoute(`/bucket/${path}?x-id=PutObject`, async (request, response) => {
        const hash = createHash("sha256").update(await buffer(request));
        published.set(path, `${request.headers["content-type"]} ${hash.digest("hex")}`);
        response.end();
      });
    }
    const told = Promise.withResolvers<unknown>();
    site.setRoute("/cloudformation", async (request, response) => {
      told.resolve(await json(request));
      response.end();
    });
    await invoke("publish-console", {
      RequestType: "Create",
      ResponseURL: site.url("/cloudformation"),
      ...{ StackId: "stack", RequestId: "request", LogicalResourceId: "Files" },
      ResourceProperties: { Bucket: "bucket" },
    });
    expect(await told.promise).toMatchObject({ Status: "SUCCESS", PhysicalResourceId: "bucket" });
    expect(published).toEqual(
      new Map(
        [...files].map(([path, content]) => [
          path,
          `${headersOf(path)["content-type"]} ${createHash("sha256").update(content).digest("hex")}`,
        ]),
      ),
    );
  });
});

/** What the sandbox's user has in /tmp. */
async function ofNobody(): Promise<string[]> {
  const names: string[] = [];
  for (const name of await readdir("/tmp")) {
    const found = await stat(join("/tmp", name)).catch(() => undefined);
    if (found?.uid === NOBODY) names.push(name);
  }
  return names;
}

const canLeaveRoot = process.platform === "linux" && process.arch === "x64" && process.getuid?.() === 0;
const asOnLambda = canLeaveRoot ? describe : describe.skip;

asOnLambda("the executor's bundle, read-only, as a user who is not root (needs root on x86-64 Linux)", () => {
  test("scrapes with its own browser, writes to /tmp alone, leaves nothing there; its webhook is delivered", async () => {
    const before = await ofNobody();
    // SSM, as far as a run asks it.
    site.setRoute("/", async (request, response) => {
      const { Path } = (await json(request)) as { Path: string };
      const Value = toStored({ value: "planted key", hosts: [] });
      response.end(JSON.stringify({ Parameters: [{ Name: `${Path}/key`, Value }] }));
    });
    // Lambda, as far as an executor asks it.
    site.setRoute("/2015-03-31/functions/read-secrets/invocations", async (request, response) => {
      const secrets = await invoke("read-secrets", (await json(request)) as object);
      response.end(JSON.stringify(secrets.answer));
    });
    const { run, event } = await queueRun();
    const { answer, surroundings, log } = await invoke("execute-run", event, { asNobody: true });

    expect(surroundings).toEqual({
      home: null,
      uid: NOBODY,
      taskRootWritable: false,
      workingFolderWritable: false,
    });
    expect(answer).toEqual({ batchItemFailures: [] });
    const finished = await getRun(table, run);
    expect({ error: finished?.error, status: finished?.status, log }).toMatchObject({
      error: null,
      status: "successful",
    });
    expect(finished).toMatchObject({ row_count: 6, credits_used: 3 });
    expect(log).toContain('"RunDuration"');
    expect(site.requests).toContain("/books/1?key=planted%20key");
    expect(log + JSON.stringify(finished)).not.toMatch(/planted.{1,3}key/);

    expect(await ofNobody()).toEqual(before);

    site.setRoute("/hook", (_request, response) => void response.end());
    const delivery = await invoke("deliver-webhook", takeMessage("webhooks"));
    expect(delivery.answer).toEqual({ batchItemFailures: [] });
    expect(site.requests).toContain("/hook");
    expect(delivery.log).toContain('"outcome":"delivered"');
  }, 60_000);
});
