import { createSocket } from "node:dgram";
import { once } from "node:events";
import { DynamoDBClient, GetItemCommand } from "@aws-sdk/client-dynamodb";
import { afterAll, afterEach, beforeEach, expect, test } from "@jest/globals";
import { stageTracer, traced, traceHandler } from "../../../../functions/lambda/bindings/x-ray.ts";
import { openLocalTable, TABLE_NAME } from "../../../../local/backend.ts";

const ROOT = "1-65f0c0de-0123456789abcdef01234567";
const PARENT = "0123456789abcdef";

const daemon = createSocket("udp4");
daemon.bind(0, "127.0.0.1");
await once(daemon, "listening");
const { documents, take } = daemonDocuments();
const HANDLER = "## index.handler";
const local = openLocalTable(":memory:");
const sent: Record<string, string>[] = [];
const { requestHandler } = local.client.config;
const client = traced(
  new DynamoDBClient({
    region: "eu-central-1",
    credentials: { accessKeyId: "local", secretAccessKey: "local" },
    requestHandler: {
      ...requestHandler,
      handle(...[request, options]: Parameters<typeof requestHandler.handle>) {
        sent.push(request.headers);
        return requestHandler.handle(request, options);
      },
    },
  }),
);
afterAll(() => {
  daemon.close();
  local.close();
});

beforeEach(() => {
  Object.assign(process.env, {
    AWS_XRAY_DAEMON_ADDRESS: `127.0.0.1:${daemon.address().port}`,
    _X_AMZN_TRACE_ID: `Root=${ROOT};Parent=${PARENT};Sampled=1;Lineage=a:0`,
    _HANDLER: "index.handler",
    POWERTOOLS_SERVICE_NAME: "gleaner",
  });
});
afterEach(() => {
  for (const name of ["GLEANER_TRACE", "AWS_XRAY_DAEMON_ADDRESS", "_X_AMZN_TRACE_ID", "_HANDLER"])
    delete process.env[name];
});

/** What the daemon gets. Datagrams may overtake each other. */
function daemonDocuments() {
  const documents: { name: string; id: string; [field: string]: unknown }[] = [];
  daemon.on("message", (message) => {
    const [header, document] = String(message).split("\n");
    expect(JSON.parse(header ?? "")).toEqual({ format: "json", version: 1 });
    documents.push(JSON.parse(document ?? ""));
  });
  return {
    documents,
    /** Takes the next one of a name. */
    async take(name: string) {
      for (;;) {
        const index = documents.findIndex((document) => document.name === name);
        const [found] = index === -1 ? [] : documents.splice(index, 1);
        if (found) return found;
        await once(daemon, "message");
      }
    },
  };
}

const getItem = () =>
  client.send(new GetItemCommand({ TableName: TABLE_NAME, Key: { pk: { S: "a" }, sk: { S: "b" } } }));

/** Executes a handler's work as Middy does. */
async function invoke(work: () => Promise<unknown>, tracer = traceHandler): Promise<void> {
  tracer.before?.({} as never);
  try {
    await work();
  } catch (error) {
    tracer.onError?.({ error } as never);
    throw error;
  }
  tracer.after?.({} as never);
}

test("an execution and its calls to AWS are subsegments of Lambda's segment, and AWS learns to which they belong", async () => {
  await invoke(getItem);
  const call = await take("DynamoDB");
  const handler = await take(HANDLER);
  expect(handler).toMatchObject({
    type: "subsegment",
    trace_id: ROOT,
    parent_id: PARENT,
    id: expect.stringMatching(/^[0-9a-f]{16}$/),
    annotations: { Service: "gleaner" },
  });
  expect(handler).not.toHaveProperty("fault");
  expect(call).toMatchObject({
    type: "subsegment",
    namespace: "aws",
    trace_id: ROOT,
    parent_id: handler.id,
    aws: { operation: "GetItem", region: "eu-central-1", table_name: TABLE_NAME, retries: 0 },
    http: { response: { status: 200 } },
  });
  expect(sent.at(-1)).toMatchObject({
    "X-Amzn-Trace-Id": `Root=${ROOT};Parent=${call.id};Sampled=1;Lineage=a:0`,
  });
});

test("only the first execution of a process is a cold start", async () => {
  await invoke(async () => {});
  await take(HANDLER);
  await invoke(async () => {});
  expect(await take(HANDLER)).toMatchObject({ annotations: { ColdStart: false } });
});

test.each([
  ["a cold start", [true], true],
  ["none after an execution that was not sampled", [false, true], false],
])("the first sampled execution of a process is %s", async (_, executions, isCold) => {
  // Node.js loads the module anew under another address.
  const address = `${import.meta.resolve("../../../../functions/lambda/bindings/x-ray.ts")}?${executions}`;
  const { traceHandler: tracer } = (await import(address)) as { traceHandler: typeof traceHandler };
  for (const isSampled of executions) {
    process.env._X_AMZN_TRACE_ID = `Root=${ROOT};Parent=${PARENT};Sampled=${isSampled ? 1 : 0}`;
    await invoke(async () => {}, tracer);
  }
  expect(await take(HANDLER)).toMatchObject({ annotations: { ColdStart: isCold } });
});

test("failures have their kind, without the message", async () => {
  const command = new GetItemCommand({ TableName: "other", Key: { pk: { S: "a" } } });
  await expect(invoke(() => client.send(command))).rejects.toThrow();
  const call = await take("DynamoDB");
  expect(call).toMatchObject({
    error: true,
    aws: { table_name: "other" },
    cause: { exceptions: [{ type: "ResourceNotFoundException" }] },
  });
  const handler = await take(HANDLER);
  expect(handler).toMatchObject({
    fault: true,
    cause: { exceptions: [{ type: "ResourceNotFoundException" }] },
  });
  expect(JSON.stringify([call, handler])).not.toContain("message");
});

test.each(["", `Root=${ROOT};Parent=${PARENT};Sampled=0`])(
  "nothing is sent where Lambda does not sample: %j",
  async (header) => {
    process.env._X_AMZN_TRACE_ID = header;
    await invoke(getItem);
    process.env._X_AMZN_TRACE_ID = `Root=${ROOT};Parent=${PARENT};Sampled=1`;
    await invoke(async () => {});
    // That of the second execution.
    await take(HANDLER);
    expect(documents).toEqual([]);
  },
);

test("a stage is a subsegment that has just ended, if the function measures stages", async () => {
  expect(stageTracer()).toBeUndefined();
  process.env.GLEANER_TRACE = "1";
  stageTracer()?.("first_byte", 250);
  const { parent_id, start_time, end_time } = await take("first_byte");
  expect(parent_id).toBe(PARENT);
  expect(end_time).toBeGreaterThanOrEqual(Number(start_time) + 0.25);
});
