import { QueryCommand } from "@aws-sdk/lib-dynamodb";
import { expect, jest, test } from "@jest/globals";
import { AbstractValueIterator } from "abstract-level";
import { createAccount } from "../../functions/store/accounts.ts";
import { createScraper } from "../../functions/store/scrapers.ts";
import { indexes } from "../../functions/store/table.ts";
import { startTable } from "../functions/store/engines.ts";
import { definition, storeRun } from "../functions/store/samples.ts";

const table = await startTable();

test.each([
  ["the table, stopped by its limit", { Limit: 2 }],
  ["the table, read to the end", {}],
  ["an index, stopped by its limit", { IndexName: indexes.runsByScraper, Limit: 2 }],
])("a Query of %s keeps nothing open", async (name, options) => {
  const account = name.replaceAll(/\W/g, "-");
  await createAccount(table, { name: account, credit_limit: null, rate_limit: null, created_at: "" });
  const scraper = await createScraper(table, account, definition, new Date());
  for (let count = 0; count < 5; count += 1) await storeRun(table, account, scraper);
  const isIndex = "IndexName" in options;
  const partition = isIndex ? `ACCOUNT#${account}#SCRAPER#${scraper.id}` : `ACCOUNT#${account}#RUNS`;

  const closed = jest.spyOn(AbstractValueIterator.prototype, "close");
  const { Items = [] } = await table.db.send(
    new QueryCommand({
      TableName: table.name,
      KeyConditionExpression: "#pk = :pk",
      ExpressionAttributeNames: { "#pk": isIndex ? "scraper_runs" : "pk" },
      ExpressionAttributeValues: { ":pk": partition },
      ...options,
    }),
  );
  expect(Items).toHaveLength("Limit" in options ? 2 : 5);
  expect(closed).toHaveBeenCalled();
  closed.mockRestore();
});
