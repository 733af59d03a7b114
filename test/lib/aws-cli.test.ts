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

let folder: string;
let emulators: Emulators;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "gleaner-aws-"));
  emulators = await startEmulators(join(folder, "table"));
  const outputs = { "gleaner-prod": { TableName: TABLE_NAME } };
  await writeFile(join(folder, "cdk.outputs.json"), JSON.stringify(outputs));
});
afterAll(async () => {
  await emulators.close();
  await rm(folder, { recursive: true });
});

/** Runs the script where `cdk deploy` has left its outputs. */
async function aws(...args: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [join(PROJECT_FOLDER, "bin", "aws.ts"), ...args],
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

test("makes an account with a key that opens it, and stores a scraper", async () => {
  const table = openTable(emulators.dynamoDb, TABLE_NAME);
  const key = (await aws("key")).trim().split(/\s+/).at(-1) as string;
  expect(await admit(table, apiKeyId(key) as string, key, new Date())).toMatchObject({ account: "default" });

  const example = join(PROJECT_FOLDER, "examples", "shop-catalogue.json");
  expect(await aws("scraper", example)).toMatch(/^Stored the scraper ".+" as [0-9a-f-]{36}/);
  expect((await listScrapers(table, "default", 1)).items).toHaveLength(1);

  // A second key of the same account.
  expect(await aws("key")).toContain('account "default"');
});

test("says what is missing", async () => {
  await expect(aws("key", "--stack", "other")).rejects.toThrow(/knows of no stack other/);
  await expect(aws("key", "--outputs", "none.json")).rejects.toThrow(/There is no none\.json/);
  await expect(aws("scraper", join(folder, "cdk.outputs.json"), "--account", "nobody")).rejects.toThrow(
    /There is no account "nobody"/,
  );
});
