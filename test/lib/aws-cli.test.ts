import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import { userInfo } from "node:os";
import { join } from "node:path";
import { json, text } from "node:stream/consumers";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { apiKeyId } from "../../functions/accounts/api-key-format.ts";
import { admit } from "../../functions/store/api-keys.ts";
import { PROJECT_FOLDER } from "../../lib/project-folder.ts";
import { openLocalTable, TABLE_NAME, tableOf } from "../../local/backend.ts";
import type { LocalDynamoDb } from "../../local/dynamodb/client.ts";
import { type Endpoint, serveDynamoDb } from "../aws-endpoints.ts";
import { newFolder } from "../new-folder.ts";
import { type Site, startSite } from "../site/site.ts";

/* The command line on a deployed service: what it finds there is the local table behind the protocol of DynamoDB. */

let folder: string;
let dynamoDb: LocalDynamoDb;
let endpoint: Endpoint;
let aws: Site;
/** What SSM holds. */
const parameters = new Map<string, Record<string, unknown>>();
/** Of those that the stack has by its test. */
const outputs = {
  TableName: TABLE_NAME,
  SecretsPath: "/gleaner/prod/secrets",
  FilesBucketName: "files-of-runs",
};
/** The prefixes that S3 was asked to list. */
const listed: (string | null)[] = [];

beforeAll(async () => {
  folder = await newFolder();
  dynamoDb = openLocalTable(join(folder, "table.sqlite"));
  endpoint = await serveDynamoDb(dynamoDb);
  aws = await startSite();
  aws.setRoute(`/${outputs.FilesBucketName}/`, (request, response) => {
    listed.push(new URL(request.url ?? "", aws.url("/")).searchParams.get("prefix"));
    response.writeHead(200, { "content-type": "application/xml" }).end("<ListBucketResult/>");
  });
  aws.setRoute("/", async (request, response) => {
    if (request.headers["x-amz-target"] === undefined) {
      const { status, xml } = answerAsCloudFormation(new URLSearchParams(await text(request)));
      response.writeHead(status, { "content-type": "text/xml" }).end(xml);
      return;
    }
    const { status, body } = await answerAsSsm(request);
    response.writeHead(status, { "content-type": "application/x-amz-json-1.1" }).end(JSON.stringify(body));
  });
});
afterAll(async () => {
  inTurn?.kill();
  await aws.close();
  endpoint.close();
  dynamoDb.close();
});

/** As much of CloudFormation as the command line calls. */
function answerAsCloudFormation(asked: URLSearchParams): { status: number; xml: string } {
  const stack = asked.get("StackName") ?? "";
  const values = { "gleaner-prod": outputs, old: { TableName: TABLE_NAME } }[stack];
  if (asked.get("Action") !== "DescribeStacks" || values === undefined) {
    const message = `Stack with id ${stack} does not exist`;
    return {
      status: 400,
      xml: `<ErrorResponse><Error><Type>Sender</Type><Code>ValidationError</Code><Message>${message}</Message></Error></ErrorResponse>`,
    };
  }
  const members = Object.entries(values).map(
    ([key, value]) => `<member><OutputKey>${key}</OutputKey><OutputValue>${value}</OutputValue></member>`,
  );
  return {
    status: 200,
    xml: `<DescribeStacksResponse><DescribeStacksResult><Stacks><member><StackName>${stack}</StackName><Outputs>${members.join("")}</Outputs></member></Stacks></DescribeStacksResult></DescribeStacksResponse>`,
  };
}

/** As much of SSM as the command line calls: there is no emulator of it. */
async function answerAsSsm(request: IncomingMessage): Promise<{ status: number; body: object }> {
  const { Name, Path, ...rest } = (await json(request)) as Record<string, string>;
  switch (String(request.headers["x-amz-target"]).split(".")[1]) {
    case "PutParameter":
      parameters.set(Name as string, { Name, ...rest, LastModifiedDate: 1_900_000_000 });
      return { status: 200, body: { Version: 1 } };
    case "GetParametersByPath": {
      const Parameters = [...parameters]
        .filter(([name]) => name.startsWith(`${Path}/`))
        .map(([, one]) => one);
      return { status: 200, body: { Parameters } };
    }
    case "DeleteParameter":
      return parameters.delete(Name as string)
        ? { status: 200, body: {} }
        : { status: 400, body: { __type: "ParameterNotFound" } };
    default:
      return { status: 400, body: { __type: "UnknownOperationException" } };
  }
}

/** A folder that knows nothing of the stack, and the environment of the command line. */
const surroundings = (environment: Record<string, string> = {}) => ({
  cwd: folder,
  env: {
    AWS_REGION: "us-east-1",
    AWS_ACCESS_KEY_ID: "local",
    AWS_SECRET_ACCESS_KEY: "local",
    AWS_ENDPOINT_URL_DYNAMODB: endpoint.url,
    AWS_ENDPOINT_URL_CLOUDFORMATION: aws.origin,
    AWS_ENDPOINT_URL_S3: aws.origin,
    AWS_ENDPOINT_URL_SSM: aws.origin,
    // Neither files nor the machine that this test runs on have credentials.
    AWS_EC2_METADATA_DISABLED: "true",
    HOME: folder,
    ...environment,
  },
});

/** Runs the command line with this environment, and something on standard input. */
async function gleanerIn(
  environment: Record<string, string>,
  input: string,
  ...args: string[]
): Promise<string> {
  const command = [join(PROJECT_FOLDER, "bin", "gleaner.js"), ...args];
  const running = promisify(execFile)(process.execPath, command, surroundings(environment));
  running.child.stdin?.on("error", () => {}).end(input);
  return (await running).stdout;
}
const gleanerWith = (input: string, ...args: string[]) => gleanerIn({}, input, ...args);

/** Runs commands one after the other, because starting a process for each takes longer than all of them. */
const IN_TURN = `
  const { main } = await import(process.argv[1]);
  let said;
  for (const name of ["stdout", "stderr"]) process[name].write = (text) => { said[name] += text; return true; };
  process.on("message", async (args) => {
    said = { stdout: "", stderr: "" };
    process.exitCode = 0;
    await main(["node", "gleaner", ...args]);
    process.send({ ...said, code: process.exitCode });
  });`;
let inTurn: ChildProcess | undefined;

/** Runs the command line without standard input. */
async function gleaner(...args: string[]): Promise<string> {
  const script = ["--input-type=module", "--eval", IN_TURN, join(PROJECT_FOLDER, "local", "cli.ts")];
  inTurn ??= spawn(process.execPath, script, { ...surroundings(), stdio: ["ignore", 1, 2, "ipc"] });
  inTurn.send(args);
  const [{ code, stdout, stderr }] = await once(inTurn, "message");
  if (code !== 0) throw Object.assign(new Error(stderr), { stderr });
  return stdout;
}
const STACK = ["--stack", "gleaner-prod"];

test("makes an account with a key that opens it, is listed and can be revoked", async () => {
  const table = tableOf(dynamoDb);
  await gleaner("account", "create", "default", ...STACK);
  const { id, key } = JSON.parse(
    await gleaner(
      "key",
      "create",
      "--account",
      "default",
      "--scope",
      "run",
      "--expires",
      "2999-01-01",
      "--json",
      ...STACK,
    ),
  );
  expect(apiKeyId(key)).toBe(id);
  expect(await admit(table, id, key, new Date())).toMatchObject({
    account: "default",
    key: { scope: "run" },
  });
  expect(JSON.parse(await gleaner("key", "list", "--json", ...STACK))).toMatchObject([
    {
      id,
      account: "default",
      scope: "run",
      expires_at: "2999-01-01T00:00:00.000Z",
      last_used_at: expect.any(String),
    },
  ]);
  await gleaner("key", "revoke", id, ...STACK);
  expect(await admit(table, id, key, new Date())).toBeUndefined();
});

test("sets, lists and removes an account's secrets, each an encrypted parameter of the stage", async () => {
  const set = await gleanerWith(
    "hunter2-hunter2\n",
    "secret",
    "set",
    "password",
    "--host",
    "shop.example",
    ...STACK,
  );
  expect(set).toContain("{{secret:password}}");
  expect(parameters.get("/gleaner/prod/secrets/default/password")).toMatchObject({
    Type: "SecureString",
    Value: '{"value":"hunter2-hunter2","hosts":["shop.example"]}',
  });
  const listed = await gleaner("secret", "list", "--json", ...STACK);
  expect(JSON.parse(listed)).toEqual([
    { name: "password", hosts: ["shop.example"], set_at: "2030-03-17T17:46:40.000Z" },
  ]);
  await gleaner("secret", "remove", "password", "--yes", ...STACK);
  expect(parameters.size).toBe(0);
  await expect(gleaner("secret", "remove", "password", ...STACK)).rejects.toThrow(/has no secret "password"/);
});

test("tells what is wrong with a secret's name and hosts before it asks for the value", async () => {
  const set = gleaner("secret", "set", "my password", "--host", "https://shop.example/", ...STACK);
  await expect(set).rejects.toThrow(/name: must be 1 to 64 of .*\n.*hosts\[0\]: ".+" must be a host/);
  await expect(gleaner("secret", "set", "password", ...STACK)).rejects.toThrow(/No value was given/);
});

test("says what is missing", async () => {
  await expect(gleaner("key", "list", "--stack", "other")).rejects.toThrow(
    /There is no stack "other" in us-east-1/,
  );
  await expect(gleaner("key", "list", "--stack", "old")).rejects.toThrow(/has no output SecretsPath/);
});

/** The arguments of the command that a message advises. */
const advised = (message: string) => (/`npx gleaner ([^`]+)`/.exec(message)?.[1] ?? "").split(" ");

test("every command on a stack advises commands on the same stack", async () => {
  const commands = [
    ["key", "create"],
    ["key", "list"],
    ["secret", "set", "password"],
    ["secret", "list"],
    ["secret", "remove", "password"],
    ["webhook", "secret"],
    ["webhook", "rotate"],
  ];
  for (const command of commands) {
    const error = await gleaner(...command, "--account", "adviser", ...STACK).catch((problem) => problem);
    expect(advised(error.stderr)).toEqual(["account", "create", "adviser", ...STACK]);
  }
  const created = await gleaner("account", "create", "adviser", ...STACK);
  const key = await gleaner(...advised(created));
  expect(key).toContain('of the account "adviser"');
});

test("what an operator changes is in the audit log of the account, also that it was deleted", async () => {
  const of = ["--account", "watched", ...STACK];
  await gleaner("account", "create", "watched", ...STACK);
  await expect(gleaner("account", "create", "watched", ...STACK)).rejects.toThrow(/already exists/);
  const { id } = JSON.parse(await gleaner("key", "create", "--json", ...of));
  await gleaner("key", "revoke", id, ...STACK);
  await gleaner("account", "set", "watched", "--credits", "7", ...STACK);
  await gleanerWith("hunter2-hunter2\n", "secret", "set", "password", ...of);
  await gleaner("secret", "remove", "password", "--yes", ...of);
  await gleaner("webhook", "rotate", ...of);
  const actor = { type: "operator", id: null, name: userInfo().username };
  const entries = async () => JSON.parse(await gleaner("audit", "--json", ...of));
  const entry = { id: expect.any(String), at: expect.any(String), actor };
  expect(await entries()).toEqual([
    { ...entry, action: "webhook_secret.rotate", target: null },
    { ...entry, action: "secret.remove", target: "password" },
    { ...entry, action: "secret.set", target: "password" },
    { ...entry, action: "account.set", target: null },
    { ...entry, action: "key.revoke", target: id },
    { ...entry, action: "key.create", target: id },
    { ...entry, action: "account.create", target: null },
  ]);
  expect(await gleaner("audit", "--limit", "1", ...of)).toContain("webhook_secret.rotate");
  await gleaner("account", "delete", "watched", "--yes", ...STACK);
  expect(listed).toEqual(["watched/"]);
  expect(await entries()).toEqual([{ ...entry, action: "account.delete", target: null }]);
});

test.each([
  ["region", { AWS_REGION: "" }, /^The region for AWS can't be read: .*Set AWS_REGION/],
  [
    "credentials",
    { AWS_ACCESS_KEY_ID: "", AWS_SECRET_ACCESS_KEY: "" },
    /^Credentials for AWS can't be read: .*Run `aws configure`/,
  ],
])("without %s, says in one line what to set", async (_, environment, message) => {
  const error = await gleanerIn(environment, "", "account", "list", ...STACK).catch((problem) => problem);
  expect(error.stderr.trim()).toMatch(message);
  expect(error.stderr.trim()).not.toContain("\n");
});
