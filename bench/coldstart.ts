/**
 * Cold start: how large each function's bundle is, how long a new process takes to load it, and how much CPU time a function
 * of the API needs from the start of its process to its first answer. Asks that those functions stay below 500 kB and 120 ms of
 * CPU time; exits 1 where they don't.
 */
import { spawn } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { json } from "node:stream/consumers";
import { App } from "aws-cdk-lib";
import type { CfnFunction } from "aws-cdk-lib/aws-lambda";
import Table from "cli-table3";
import { createApiKey } from "../functions/accounts/create-key.ts";
import { type RouteName, routes } from "../functions/contract/routes.ts";
import { createAccount } from "../functions/store/accounts.ts";
import { readConfig } from "../lib/config.ts";
import { GleanerStack } from "../lib/gleaner-stack.ts";
import { ServiceFunction } from "../lib/service-function.ts";
import { openLocalTable, TABLE_NAME, tableOf } from "../local/backend.ts";
import { serveDynamoDb } from "../test/aws-endpoints.ts";

const STARTS = 15;
const MAX_BYTES = 500_000;
const MAX_CPU_MS = 120;
const ACCOUNT = "acme";
const FIRST_ANSWER = new URL("coldstart/first-answer.mjs", import.meta.url).pathname;

interface Start {
  status?: number;
  loadMs: number;
  loadCpuMs: number;
  answerCpuMs: number;
}

const dynamoDb = openLocalTable(":memory:");
const table = tableOf(dynamoDb);
const endpoint = await serveDynamoDb(dynamoDb);
await createAccount(table, { name: ACCOUNT, credit_limit: null, rate_limit: 1_000_000, created_at: "" });
const { key } = await createApiKey(table, ACCOUNT, new Date());

const environment = {
  TABLE_NAME,
  POWERTOOLS_SERVICE_NAME: "gleaner",
  POWERTOOLS_METRICS_NAMESPACE: "Gleaner",
  BASE_URL: endpoint.url,
  AWS_LAMBDA_FUNCTION_NAME: "bundle",
  AWS_EXECUTION_ENV: "AWS_Lambda_nodejs24.x",
  // No queue is there: the route for health says so.
  AWS_ENDPOINT_URL_SQS: endpoint.url,
  RUNS_QUEUE_URL: `${endpoint.url}/runs`,
  WEBHOOKS_QUEUE_URL: `${endpoint.url}/webhooks`,
  // Traced, to a daemon that is not there: UDP does not mind.
  _X_AMZN_TRACE_ID: "Root=1-65f0c0de-0123456789abcdef01234567;Parent=0123456789abcdef;Sampled=1",
  AWS_XRAY_DAEMON_ADDRESS: "127.0.0.1:9",
  AWS_REGION: "us-east-1",
  AWS_ACCESS_KEY_ID: "local",
  AWS_SECRET_ACCESS_KEY: "local",
  AWS_ENDPOINT_URL_DYNAMODB: endpoint.url,
};

/** A request with a valid key, which a route checks in the table before it looks for anything else. */
const requestOf = (name: RouteName) => ({
  httpMethod: routes[name].method,
  resource: routes[name].path,
  path: routes[name].path,
  headers: { Authorization: `Bearer ${key}`, "Content-Type": "application/json" },
  queryStringParameters: null,
  pathParameters: { id: "01a1fc60-be76-7521-95ca-660000000099" },
  body: null,
  isBase64Encoded: false,
  requestContext: { requestId: "req-1" },
});

async function start(bundle: string, event: object | undefined): Promise<Start> {
  const args = ["--enable-source-maps", FIRST_ANSWER, bundle, event ? JSON.stringify(event) : ""];
  const child = spawn(process.execPath, args, { env: environment, stdio: ["ignore", "pipe", "inherit"] });
  return (await json(child.stdout)) as Start;
}

const bytesOf = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((bytes, entry) => bytes + statSync(join(entry.parentPath, entry.name)).size, 0);

/** The least is the bundle's own; what is above it is whatever else the machine was doing. */
const leastAndMedian = (numbers: number[]) => {
  const sorted = numbers.toSorted((one, other) => one - other);
  return [sorted[0] ?? 0, sorted[sorted.length >> 1] ?? 0];
};

const outdir = mkdtempSync(join(tmpdir(), "gleaner-coldstart-"));
try {
  const app = new App({ outdir });
  const stack = new GleanerStack(app, "gleaner", { config: readConfig(app.node) });
  app.synth();
  const names = new Map((Object.keys(routes) as RouteName[]).map((name) => [name.toLowerCase(), name]));
  const table = new Table({
    head: [
      "function",
      "bundle, kB",
      "files, MB",
      "load, ms: least",
      "median",
      "CPU to first answer, ms: least",
      "median",
    ],
    colAligns: ["left", "right", "right", "right", "right", "right", "right"],
    style: { head: [], border: [] },
  });
  let tooHeavy = false;
  for (const fn of stack.node.findAll().filter((one) => one instanceof ServiceFunction)) {
    const { code } = fn.node.defaultChild as CfnFunction;
    const { s3Key } = stack.resolve(code) as { s3Key: string };
    const folder = join(outdir, `asset.${s3Key.replace(/\.zip$/, "")}`);
    const bundle = join(folder, "index.js");
    const bytes = statSync(bundle).size;
    const name = names.get(fn.node.id.toLowerCase());
    const event = name && requestOf(name);
    // The first one also reads the files from the disk.
    await start(bundle, event);
    const starts: Start[] = [];
    for (let count = 0; count < STARTS; count += 1) starts.push(await start(bundle, event));
    if (starts.some(({ status }) => status === 401)) throw new Error(`${fn.node.id} refused the key.`);
    const load = leastAndMedian(starts.map(({ loadMs }) => loadMs));
    const answer = event ? leastAndMedian(starts.map(({ answerCpuMs }) => answerCpuMs)) : [];
    const tooLong = event !== undefined && (bytes > MAX_BYTES || (answer[0] ?? 0) > MAX_CPU_MS);
    tooHeavy ||= tooLong;
    const figures = [bytes / 1000, bytesOf(folder) / 1e6, ...load, ...answer].map((figure) =>
      figure.toFixed(1),
    );
    table.push([fn.node.id + (tooLong ? " (too heavy)" : ""), ...figures]);
  }
  console.log(table.toString());
  if (tooHeavy) process.exitCode = 1;
} finally {
  rmSync(outdir, { recursive: true });
  endpoint.close();
  dynamoDb.close();
}
