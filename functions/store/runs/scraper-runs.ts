import { UpdateCommand } from "@aws-sdk/lib-dynamodb";
import type { Table } from "../table.ts";
import type { ListKeys } from "./gaps.ts";
import { scraperRunsPartition } from "./run-keys.ts";

/** Where the list of a scraper's runs has its count and its gaps: apart from the scraper, whose definition may be large. */
export function scraperListKeys(account: string, scraperId: string): ListKeys {
  const pk = scraperRunsPartition(account, scraperId);
  return { count: { pk, sk: "COUNT" }, countAttribute: "run_count", gaps: { pk, sk: "GAPS" } };
}

/** Takes the next number of a run of this scraper, for the run with this id. A number that is not used leaves a gap. */
export async function takeScraperRunNumber(
  table: Table,
  account: string,
  scraperId: string,
  runId: string,
): Promise<number> {
  const { Attributes } = await table.db.send(
    new UpdateCommand({
      TableName: table.name,
      Key: scraperListKeys(account, scraperId).count,
      UpdateExpression: "SET newest_run = :run ADD run_count :one",
      ExpressionAttributeValues: { ":one": 1, ":run": runId },
      ReturnValues: "UPDATED_NEW",
    }),
  );
  return Attributes?.run_count;
}
