/*
 * What a service that was just deployed needs before its first run: an account, a key, a scraper. It works on the table
 * with the AWS credentials of whoever calls it, and finds the table in the outputs of `cdk deploy`.
 */
import { readFile } from "node:fs/promises";
import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { Command } from "commander";
import { createApiKey } from "../functions/accounts/create-key.ts";
import { putScraper } from "../functions/scrapers/put-scraper.ts";
import { createAccount, getAccount } from "../functions/store/accounts.ts";
import { openTable, type Table } from "../functions/store/table.ts";

interface Options {
  account: string;
  outputs: string;
  stack: string;
}

async function withTable<T>({ outputs, stack }: Options, work: (table: Table) => Promise<T>): Promise<T> {
  const file = await readFile(outputs, "utf8").catch((cause) => {
    throw new Error(`There is no ${outputs}. \`npx cdk deploy\` writes it.`, { cause });
  });
  const name: string | undefined = JSON.parse(file)[stack]?.TableName;
  if (name === undefined)
    throw new Error(`${outputs} knows of no stack ${stack}. Name another with --stack.`);
  const client = new DynamoDBClient();
  try {
    return await work(openTable(client, name));
  } finally {
    client.destroy();
  }
}

async function createAccountAndKey(options: Options): Promise<void> {
  const { account: name } = options;
  const now = new Date();
  const { key } = await withTable(options, async (table) => {
    await createAccount(table, { name, credit_limit: null, rate_limit: null, created_at: now.toISOString() });
    return createApiKey(table, name, now);
  });
  console.log(`A key of the account "${name}". It is shown this once, so keep it now:\n  ${key}`);
}

async function storeScraper(file: string, options: Options): Promise<void> {
  const { account } = options;
  const definition: unknown = JSON.parse(await readFile(file, "utf8"));
  const { id, name } = await withTable(options, async (table) => {
    if ((await getAccount(table, account)) === undefined)
      throw new Error(`There is no account "${account}".`);
    return putScraper(table, account, definition, new Date());
  });
  console.log(`Stored the scraper "${name}" as ${id}`);
}

const program = new Command("aws").description("First steps on a service that runs on AWS.");
const command = (usage: string, description: string) =>
  program
    .command(usage)
    .description(description)
    .option("--account <name>", "account to work on", "default")
    .option("--stack <name>", "the stack, as `cdk deploy` names it", "gleaner-prod")
    .option("--outputs <file>", "what `cdk deploy` has written of the stack's outputs", "cdk.outputs.json");
command("key", "make a key, and its account if there is none yet").action(createAccountAndKey);
command("scraper <file>", "store the scraper that a JSON file defines").action(storeScraper);

try {
  await program.parseAsync();
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}
