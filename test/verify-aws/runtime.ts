import { chmod, copyFile, cp, mkdtemp, rm, writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import type { Deployed } from "./ministack.ts";
import { type Call, callsWithTicket } from "./ticket-calls.ts";
import { cached, exists, freePort, Missing, run, start, until, which } from "./tools.ts";

const RIC_VERSION = "4.0.2";
const RIE_MODULE = "github.com/aws/aws-lambda-runtime-interface-emulator/cmd/aws-lambda-rie@latest";
const NOBODY = "65534";

/**
 * What Lambda gives a function: a read-only root, 512 MB of /tmp, and a user without rights. `$@`: what runs there. Only
 * the mounts of this process change.
 */
const SANDBOX = `
mount -t tmpfs -o size=512m,mode=1777 tmpfs /tmp &&
mount -o remount,bind,ro / &&
exec setpriv --reuid=${NOBODY} --regid=${NOBODY} --clear-groups --no-new-privs "$@"
`;

interface Client {
  /** A page with a list of items. */
  page: string;
  start(): Promise<Record<string, unknown>>;
  read(id: string): Promise<Record<string, unknown>>;
}

const NOTHING = /^null$/;
const NO_FAILURES = /^\{"batchItemFailures":\[\]\}$/;

/** Calls every function in its sandbox, against the deployed table and queues. The executor executes a run. */
export async function runUnderEmulator(
  deployed: Deployed,
  functions: Record<string, { id: string; asset: string }>,
  client: Client,
  expectRows: (run: Record<string, unknown>) => void,
): Promise<void> {
  const tools = await prepare();
  try {
    await deployed.setQueues(false);
    const { id } = await client.start();
    const calls: Record<string, Call> = {
      sweep: { event: {}, answer: NOTHING },
      "start-scheduled-run": {
        event: {
          account: "default",
          scraper_id: "01a1fc60-be76-7521-95ca-660000000099",
          scheduled_at: "2026-01-01T00:00:00.000Z",
        },
        answer: NOTHING,
      },
      "deliver-webhook": { event: { Records: [] }, answer: NO_FAILURES },
      "advance-batch": { event: { Records: [] }, answer: NO_FAILURES },
      "publish-console": { event: publication(deployed), answer: NOTHING },
      "execute-run": {
        event: { Records: [{ messageId: "1", body: JSON.stringify({ account: "default", id }) }] },
        answer: NO_FAILURES,
      },
      // These routes need no key.
      "get-open-api": { event: request, answer: /"openapi": ?"3/ },
      "get-reference": { event: request, answer: /<title>Gleaner API</ },
      "get-health": { event: request, answer: /"status":"ok"/ },
      "unknown-route": { event: request, answer: /"There is no such endpoint\."/ },
      ...(await callsWithTicket(deployed, functions, client.page)),
    };
    for (const [name, { id: fn, asset }] of Object.entries(functions)) {
      const environment = await deployed.variables(fn);
      const { event, answer: expected } = calls[name] ?? { event: request, answer: /unauthorized/ };
      const { answer, seconds } = await call(tools, asset, environment, event);
      console.log(`         ${name}: ${seconds.toFixed(1)} s, ${answer.slice(0, 100)}`);
      if (!expected.test(answer)) throw new Error(`${name} answered ${answer.slice(0, 2_000)}`);
    }
    expectRows(await client.read(String(id)));
  } finally {
    await deployed.setQueues(true);
    await rm(tools.folder, { recursive: true, force: true });
  }
}

/** What CloudFormation sends. It would get the response as a file in a bucket of its own. */
function publication({ names, environment }: Deployed): object {
  const [, bucket] = [...names].find(([id]) => /^ConsoleBucket(?!Policy)/.test(id)) ?? [];
  return {
    RequestType: "Update",
    ResponseURL: `${environment.AWS_ENDPOINT_URL}/${bucket}/response`,
    ...{ StackId: "stack", RequestId: "request", LogicalResourceId: "Files" },
    ResourceProperties: { Bucket: bucket },
  };
}

/** A request without a key. */
const request = {
  resource: "/runs",
  httpMethod: "GET",
  headers: {},
  queryStringParameters: null,
  pathParameters: { id: "x" },
  body: null,
  isBase64Encoded: false,
  requestContext: { requestId: "verify" },
};

interface Tools {
  folder: string;
  emulator: string;
  client: string;
  node: string;
}

/** Copies the tools to where everybody may read them, but in /tmp, which each function has for itself. */
async function prepare(): Promise<Tools> {
  if (process.platform !== "linux" || process.arch !== "x64") throw new Missing("It needs Linux on x86-64");
  if (process.getuid?.() !== 0) throw new Missing("It needs root, for a read-only root and another user");
  const [emulator, client] = [await findEmulator(), await findClient()];
  const folder = await mkdtemp("/var/tmp/gleaner-runtime-");
  await chmod(folder, 0o755);
  const tools = {
    folder,
    emulator: join(folder, "aws-lambda-rie"),
    client: join(folder, "ric"),
    node: join(folder, "node"),
  };
  await copyFile(emulator, tools.emulator);
  await cp(join(client, "..", "..", ".."), tools.client, { recursive: true });
  await copyFile(process.execPath, tools.node);
  for (const program of [tools.emulator, tools.node]) await chmod(program, 0o755);
  return tools;
}

async function findEmulator(): Promise<string> {
  const installed = await which("aws-lambda-rie");
  if (installed !== undefined) return installed;
  const go = await which("go");
  if (go === undefined)
    throw new Missing("AWS's runtime interface emulator needs Go, or aws-lambda-rie in PATH");
  return cached("aws-lambda-rie", "aws-lambda-rie", (folder) =>
    run(go, ["install", RIE_MODULE], { env: { ...process.env, GOBIN: folder } }),
  );
}

/** AWS's runtime interface client, which npm compiles. */
const findClient = () =>
  cached(`aws-lambda-ric-${RIC_VERSION}`, "node_modules/aws-lambda-ric/index.mjs", async (folder) => {
    // The settings of this project, which npm hands down, run no script that is not allowed by name.
    const project = {
      private: true,
      dependencies: { "aws-lambda-ric": RIC_VERSION },
      allowScripts: { "aws-lambda-ric": true },
    };
    await writeFile(join(folder, "package.json"), JSON.stringify(project));
    // node-gyp would download the headers of this Node.js. Those of any version do, because the client uses Node-API.
    const headers = await headersFolder();
    const env = { ...process.env, ...(headers && { npm_config_nodedir: headers }) };
    await run("npm", ["install"], { cwd: folder, env, timeout: 20 * 60_000 });
  });

/** The folder of an installation of Node.js that has its C headers; undefined if there is none in PATH. */
async function headersFolder(): Promise<string | undefined> {
  for (const folder of (process.env.PATH ?? "").split(delimiter)) {
    if (await exists(join(folder, "..", "include", "node", "node_api.h"))) return join(folder, "..");
  }
  return undefined;
}

/** The answer of a function's files to one event. */
async function call(
  tools: Tools,
  asset: string,
  environment: Record<string, string>,
  event: object,
): Promise<{ answer: string; seconds: number }> {
  const task = join(tools.folder, "task");
  await cp(asset, task, { recursive: true });
  const [port, apiPort] = [await freePort(), await freePort()];
  const runtime = start(
    "unshare",
    [
      ...["--mount", "--propagation", "private", "sh", "-c", SANDBOX, "sh", tools.emulator],
      ...["--runtime-interface-emulator-address", `127.0.0.1:${port}`],
      ...["--runtime-api-address", `127.0.0.1:${apiPort}`],
      ...[tools.node, join(tools.client, "node_modules/aws-lambda-ric/index.mjs"), "index.handler"],
    ],
    {
      cwd: task,
      env: {
        PATH: process.env.PATH,
        ...environment,
        LAMBDA_TASK_ROOT: task,
        AWS_LAMBDA_FUNCTION_TIMEOUT: "120",
        AWS_LAMBDA_FUNCTION_MEMORY_SIZE: "2048",
      },
    },
  );
  try {
    const started = performance.now();
    const answer = await until("the answer of the emulator", async () => {
      const response = await fetch(`http://127.0.0.1:${port}/2015-03-31/functions/function/invocations`, {
        method: "POST",
        body: JSON.stringify(event),
        signal: AbortSignal.timeout(120_000),
      });
      return response.text();
    });
    return { answer, seconds: (performance.now() - started) / 1000 };
  } catch (error) {
    throw new Error(`${(error as Error).message}\n${runtime.output().slice(-2_000)}`, { cause: error });
  } finally {
    await runtime.stop();
    await rm(task, { recursive: true, force: true });
  }
}
