import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { apiKeyId } from "../../functions/accounts/api-key-format.ts";
import { admit } from "../../functions/store/api-keys.ts";
import { listScrapers } from "../../functions/store/scrapers.ts";
import { openTable } from "../../functions/store/table.ts";
import { PROJECT_FOLDER } from "../../lib/project-folder.ts";
import { TABLE_NAME } from "../../local/dynamodb-client.ts";
import { type Emulators, startEmulators } from "../../local/emulators.ts";
import { synth } from "./synth.ts";

/* The command line on a deployed service: what it finds there is an emulator. */

let folder: string;
let emulators: Emulators;
const outputs = {
  TableName: TABLE_NAME,
  ScheduleGroup: "group",
  ScheduleTargetArn: "arn:aws:lambda:us-east-1:111111111111:function:start",
  ScheduleRoleArn: "arn:aws:iam::111111111111:role/schedules",
  ScheduleDeadLettersArn: "arn:aws:sqs:us-east-1:111111111111:dead",
  SecretsPath: "/gleaner/prod/secrets",
};

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "gleaner-aws-"));
  emulators = await startEmulators(join(folder, "table"));
  await writeFile(join(folder, "cdk.outputs.json"), JSON.stringify({ "gleaner-prod": outputs, old: {} }));
});
afterAll(async () => {
  await emulators.close();
  await rm(folder, { recursive: true });
});

/** Runs the command line where `cdk deploy` has left its outputs. */
async function gleaner(...args: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [join(PROJECT_FOLDER, "bin", "gleaner.js"), ...args],
    {
      cwd: folder,
      env: {
        AWS_REGION: "us-east-1",
        AWS_ACCESS_KEY_ID: "local",
        AWS_SECRET_ACCESS_KEY: "local",
        AWS_ENDPOINT_URL_DYNAMODB: emulators.dynamoDbEndpoint,
      },
    },
  );
  return stdout;
}
const STACK = ["--stack", "gleaner-prod"];

test("makes an account with a key that opens it, is listed and can be revoked, and stores a scraper", async () => {
  const table = openTable(emulators.dynamoDb, TABLE_NAME);
  await gleaner("account", "create", "default", ...STACK);
  const { id, key } = JSON.parse(await gleaner("key", "create", "--account", "default", "--json", ...STACK));
  expect(apiKeyId(key)).toBe(id);
  expect(await admit(table, id, key, new Date())).toMatchObject({ account: "default" });
  expect(JSON.parse(await gleaner("key", "list", "--json", ...STACK))).toMatchObject([
    { id, account: "default", last_used_at: expect.any(String) },
  ]);
  await gleaner("key", "revoke", id, ...STACK);
  expect(await admit(table, id, key, new Date())).toBeUndefined();

  const example = join(PROJECT_FOLDER, "examples", "shop-catalogue.json");
  expect(await gleaner("scraper", "put", example, ...STACK)).toMatch(
    /^Stored the scraper ".+" as [0-9a-f-]{36}/,
  );
  expect((await listScrapers(table, "default", 1)).items).toHaveLength(1);
});

test("says what is missing", async () => {
  await expect(gleaner("scraper", "list", "--stack", "other")).rejects.toThrow(/knows of no stack "other"/);
  await expect(gleaner("scraper", "list", "--stack", "old")).rejects.toThrow(/has no ScheduleGroup/);
});

test("the stack has every output that the command line reads", () => {
  const { template } = synth();
  expect(Object.keys(template.findOutputs("*"))).toEqual(expect.arrayContaining(Object.keys(outputs)));
});
