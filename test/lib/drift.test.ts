import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { CreateTableCommandInput } from "@aws-sdk/client-dynamodb";
import { describe, expect, test } from "@jest/globals";
import { build } from "esbuild";
import { handlers } from "../../functions/api/handlers.ts";
import { type RouteName, routes } from "../../functions/contract/routes.ts";
import { tableSchema } from "../../functions/store/table.ts";
import { PROJECT_FOLDER } from "../../lib/project-folder.ts";
import { EXECUTOR_TIMEOUT_MS } from "../../local/executor.ts";
import { BATCH_TIMEOUT_MS, WEBHOOK_TIMEOUT_MS } from "../../local/service.ts";
import { functionsOf, resourcesOf, type Statement, statementsByRole, synth } from "./synth.ts";

const { stack, template } = synth({
  proxiesParameter: "/gleaner/proxies",
  smtpParameter: "/gleaner/smtp",
  allowHosts: ["a.example:9443"],
  userAgent: "Test/1",
  trace: true,
  retention: { runDays: 90 },
  console: true,
});
const functions = functionsOf(template, stack);
const lambdaFolder = join(PROJECT_FOLDER, "functions", "lambda");

describe("routes", () => {
  /** Every route of the stack, as `METHOD /path`, with the file of the function behind it. */
  function stackRoutes(): Map<string, string> {
    const [stage] = Object.values(resourcesOf(template, "AWS::ApiGateway::Stage"));
    const resources = resourcesOf(template, "AWS::ApiGateway::Resource");
    const pathOf = (reference: unknown): string => {
      const id = (reference as { Ref?: string }).Ref;
      if (id === undefined) return `/${stage?.Properties.StageName}`;
      const { ParentId, PathPart } = resources[id]?.Properties ?? {};
      return `${pathOf(ParentId)}/${PathPart}`;
    };
    const found = new Map<string, string>();
    for (const { Properties } of Object.values(resourcesOf(template, "AWS::ApiGateway::Method"))) {
      const integration = JSON.stringify(Properties.Integration);
      const fn = Object.values(functions).find(({ id }) => integration.includes(`"${id}"`));
      if (fn !== undefined) found.set(`${Properties.HttpMethod} ${pathOf(Properties.ResourceId)}`, fn.entry);
    }
    return found;
  }

  test("are those of the contract, which the local gateway serves", () => {
    const expected = Object.values(routes).flatMap(({ method, path }) => [
      `${method} ${path}`,
      ...(method === "GET" ? [`HEAD ${path}`] : []),
    ]);
    const served = [...stackRoutes().keys()].filter((route) => !route.startsWith("ANY "));
    expect(served.sort()).toEqual(expected.sort());
  });

  test("lead to the handler that the local gateway calls", async () => {
    for (const [name, { method, path }] of Object.entries(routes)) {
      const entry = stackRoutes().get(`${method} ${path}`);
      if (method === "GET") expect(stackRoutes().get(`HEAD ${path}`)).toBe(entry);
      const source = await readFile(join(lambdaFolder, `${entry}.ts`), "utf8");
      const bound = `apiLambda<"${name}">\\(\\w+Routes\\.${name}, ${handlers[name as RouteName].name}\\b`;
      expect(source).toMatch(new RegExp(bound));
    }
  });
});

describe("functions", () => {
  test("every entry file is a function of the stack, and every function has one", async () => {
    const entries: string[] = [];
    for (const file of await readdir(lambdaFolder, { recursive: true })) {
      if (!file.endsWith(".ts")) continue;
      const source = await readFile(join(lambdaFolder, file), "utf8");
      if (source.includes("export const handler")) entries.push(file.replace(/\.ts$/, ""));
    }
    expect(
      Object.values(functions)
        .map(({ entry }) => entry)
        .sort(),
    ).toEqual(entries.sort());
  });

  /** Workers that any of the sources in a folder import. */
  async function workersIn(folder: string): Promise<string[]> {
    const found = new Set<string>();
    for (const file of await readdir(folder, { recursive: true })) {
      if (!file.endsWith(".ts")) continue;
      const source = await readFile(join(folder, file), "utf8");
      for (const [, worker] of source.matchAll(/from "(?:\.\.\/)+(?:functions\/)?workers\/([a-z-]+)\.ts"/g)) {
        const text = await readFile(join(PROJECT_FOLDER, "functions", "workers", `${worker}.ts`), "utf8");
        // What takes a run or a sweep from a queue or a clock; the rest are parts of these.
        if (/export async function (executeRun|deliverWebhook|advanceBatch|sweep)\b/.test(text))
          found.add(worker as string);
      }
    }
    return [...found].sort();
  }

  test("the local service and the stack have the same workers", async () => {
    const local = await workersIn(join(PROJECT_FOLDER, "local"));
    expect(local).toEqual(["advance-batch", "deliver-webhook", "execute-run", "sweep"]);
    expect(await workersIn(lambdaFolder)).toEqual(local);
  });

  /** The commands of the AWS SDK that an entry's code, once tree-shaken, still makes. */
  async function commandsOf(entry: string): Promise<string[]> {
    const { outputFiles } = await build({
      entryPoints: [join(lambdaFolder, `${entry}.ts`)],
      bundle: true,
      packages: "external",
      format: "esm",
      platform: "node",
      treeShaking: true,
      write: false,
    });
    const code = outputFiles[0]?.text ?? "";
    return [
      ...new Set([...code.matchAll(/\bnew (\w+Command)\d*\(/g)].map(([, command]) => command as string)),
    ];
  }

  const rights: Record<string, string> = {
    GetCommand: "dynamodb:GetItem",
    BatchGetCommand: "dynamodb:BatchGetItem",
    // A transaction needs the rights of its writes, and all of ours are updates.
    TransactWriteCommand: "dynamodb:UpdateItem",
    PutCommand: "dynamodb:PutItem",
    UpdateCommand: "dynamodb:UpdateItem",
    DeleteCommand: "dynamodb:DeleteItem",
    QueryCommand: "dynamodb:Query",
    SendMessageCommand: "sqs:SendMessage",
    GetQueueAttributesCommand: "sqs:GetQueueAttributes",
    InvokeCommand: "lambda:InvokeFunction",
    GetParameterCommand: "ssm:GetParameter",
    GetParametersByPathCommand: "ssm:GetParametersByPath",
    PutParameterCommand: "ssm:PutParameter",
    CreateScheduleCommand: "scheduler:CreateSchedule",
    UpdateScheduleCommand: "scheduler:UpdateSchedule",
    DeleteScheduleCommand: "scheduler:DeleteSchedule",
    PutObjectCommand: "s3:PutObject",
    GetObjectCommand: "s3:GetObject",
    DeleteObjectsCommand: "s3:DeleteObject",
    ListObjectsV2Command: "s3:ListBucket",
  };

  /** What admits keys is in the code of every route, but does not run where none is needed. */
  const admission = ["dynamodb:GetItem", "dynamodb:UpdateItem"];
  const unused: Record<string, string[]> = {
    "api/get-open-api": admission,
    "api/get-reference": admission,
    "api/get-health": ["dynamodb:UpdateItem"],
  };

  test.each(Object.values(functions).map((fn) => [fn.entry, fn] as const))(
    "%s may do exactly what its code does",
    async (entry, { role }) => {
      const commands = await commandsOf(entry);
      const statements = (statementsByRole(template).get(role) as Statement[])
        // Lambda reads a queue with the function's role, but no code of the function.
        .filter(({ Action }) => ![Action].flat().includes("sqs:ReceiveMessage"))
        .flatMap(({ Action }) => Action)
        .filter((action) => Object.values(rights).includes(action));
      const needed = commands
        .map((command) => rights[command] ?? command)
        .filter((right) => !unused[entry]?.includes(right));
      expect([...new Set(statements)].sort()).toEqual([...new Set(needed)].sort());
    },
  );

  /** Variables that functions/lambda/bindings/environment.ts reads, by the right that goes with each. */
  test("each is told where to find what it may use, and of nothing else", () => {
    const general = ["NODE_OPTIONS", "POWERTOOLS_SERVICE_NAME", "POWERTOOLS_METRICS_NAMESPACE"];
    const withoutTable = ["publish-console", "get-open-api", "get-reference"];
    const schedule = ["GROUP", "TARGET_ARN", "ROLE_ARN", "DEAD_LETTERS_ARN"].map(
      (name) => `SCHEDULE_${name}`,
    );
    const expected: Record<string, string[]> = {
      "list-runs": [],
      "get-health": ["RUNS_QUEUE_URL", "WEBHOOKS_QUEUE_URL", "BATCHES_QUEUE_URL"],
      "get-run": [],
      "list-scrapers": [],
      "get-scraper": [],
      "create-run": ["RUNS_QUEUE_URL", "ALLOW_HOSTS", "RUN_DAYS"],
      "get-run-rows": [],
      "get-run-files": ["FILES_BUCKET"],
      "delete-run": ["FILES_BUCKET"],
      "resend-run-webhook": ["WEBHOOKS_QUEUE_URL"],
      "stop-run": ["RUNS_QUEUE_URL", "WEBHOOKS_QUEUE_URL", "BATCHES_QUEUE_URL"],
      "create-batch": ["BATCHES_QUEUE_URL", "ALLOW_HOSTS", "RUN_DAYS"],
      "stop-batch": ["BATCHES_QUEUE_URL"],
      "delete-batch": ["BATCHES_QUEUE_URL"],
      "advance-batch": ["RUNS_QUEUE_URL", "WEBHOOKS_QUEUE_URL", "BATCHES_QUEUE_URL", "FILES_BUCKET"],
      "create-scraper": [...schedule, "ALLOW_HOSTS"],
      "replace-scraper": [...schedule, "ALLOW_HOSTS"],
      "delete-scraper": schedule,
      "start-scheduled-run": [
        "RUNS_QUEUE_URL",
        "WEBHOOKS_QUEUE_URL",
        "BATCHES_QUEUE_URL",
        "ALLOW_HOSTS",
        "RUN_DAYS",
        ...schedule,
      ],
      sweep: [
        "RUNS_QUEUE_URL",
        "WEBHOOKS_QUEUE_URL",
        "BATCHES_QUEUE_URL",
        "FILES_BUCKET",
        "RUN_DAYS",
        ...schedule,
      ],
      "deliver-webhook": [
        "WEBHOOKS_QUEUE_URL",
        "ALLOW_HOSTS",
        "SMTP_PARAMETER",
        "CONSOLE_URL",
        "GLEANER_TRACE",
        "SECRETS_FUNCTION",
      ],
      "create-hook": ["ALLOW_HOSTS", "SMTP_PARAMETER"],
      "test-hook": ["WEBHOOKS_QUEUE_URL"],
      "execute-run": [
        "RUNS_QUEUE_URL",
        "WEBHOOKS_QUEUE_URL",
        "BATCHES_QUEUE_URL",
        "FILES_BUCKET",
        "PROXIES_PARAMETER",
        "SECRETS_FUNCTION",
        "ALLOW_HOSTS",
        "USER_AGENT",
        "GLEANER_TRACE",
      ],
      "create-inspection": ["INSPECTOR_FUNCTION"],
      "put-session": ["SECRETS_FUNCTION"],
      "call-mcp": ["BASE_URL"],
      "execute-inspection": ["PROXIES_PARAMETER", "SECRETS_FUNCTION", "ALLOW_HOSTS", "USER_AGENT"],
      "read-secrets": ["SECRETS_PATH"],
    };
    for (const [entry, { variables }] of Object.entries(functions)) {
      const all = withoutTable.includes(entry) ? general : [...general, "TABLE_NAME"];
      expect(Object.keys(variables).sort()).toEqual([...all, ...(expected[entry] ?? [])].sort());
    }
  });

  test("environment.ts reads what the stack or Lambda itself sets", async () => {
    const source = await readFile(join(lambdaFolder, "bindings", "environment.ts"), "utf8");
    const read = [...source.matchAll(/read\("(\w+)"\)|process\.env\.(\w+)/g)].map(
      ([, one, other]) => one ?? other,
    );
    const set = new Set(Object.values(functions).flatMap(({ variables }) => Object.keys(variables)));
    const byLambda = [
      "LAMBDA_TASK_ROOT",
      "AWS_ACCESS_KEY_ID",
      "AWS_SECRET_ACCESS_KEY",
      "AWS_SESSION_TOKEN",
      "AWS_XRAY_DAEMON_ADDRESS",
      "_X_AMZN_TRACE_ID",
      "_HANDLER",
    ];
    for (const name of read) expect([...set, ...byLambda]).toContain(name);
  });
});

describe("table and queues", () => {
  test("the queues are those of the local service, and hide a message as long as its worker may take there", () => {
    const stackQueues: Record<string, unknown> = {};
    for (const [id, { Properties }] of Object.entries(resourcesOf(template, "AWS::SQS::Queue"))) {
      const name = /^(?:Executor)?(Runs|Webhooks|Batches)Queue/.exec(id)?.[1];
      if (name !== undefined) stackQueues[name.toLowerCase()] = Properties.VisibilityTimeout;
    }
    const localSeconds = {
      runs: EXECUTOR_TIMEOUT_MS / 1000,
      webhooks: WEBHOOK_TIMEOUT_MS / 1000,
      batches: BATCH_TIMEOUT_MS / 1000,
    };
    expect(stackQueues).toEqual(localSeconds);
  });

  test("the table has the keys and indexes of the local one", () => {
    const [table] = Object.values(resourcesOf(template, "AWS::DynamoDB::Table"));
    expect(shapeOf(table?.Properties as Schema)).toEqual(shapeOf(tableSchema));
  });
});

type Schema = Pick<CreateTableCommandInput, "KeySchema" | "AttributeDefinitions" | "GlobalSecondaryIndexes">;

/** What has to be equal of two tables, in an order of its own. */
function shapeOf({ KeySchema, AttributeDefinitions = [], GlobalSecondaryIndexes = [] }: Schema) {
  const byName = (one: { name?: unknown }, other: { name?: unknown }) =>
    String(one.name).localeCompare(String(other.name));
  return {
    KeySchema,
    attributes: AttributeDefinitions.map(({ AttributeName: name, AttributeType: type }) => ({
      name,
      type,
    })).sort(byName),
    indexes: GlobalSecondaryIndexes.map(({ IndexName: name, KeySchema, Projection }) => ({
      name,
      KeySchema,
      type: Projection?.ProjectionType,
      attributes: [...(Projection?.NonKeyAttributes ?? [])].sort(),
    })).sort(byName),
  };
}
