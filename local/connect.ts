import { DescribeTableCommand } from "@aws-sdk/client-dynamodb";
import { openTable, type Table } from "../functions/store/table.ts";
import { DataFolder, UsageError } from "./data-folder.ts";
import { dynamoDbClient, TABLE_NAME } from "./dynamodb-client.ts";

/**
 * Runs `work` on the table of the service that runs on this data folder.
 * @throws UsageError when none does
 */
export async function withService<T>(data: string, work: (table: Table) => Promise<T>): Promise<T> {
  const folder = new DataFolder(data);
  const service = await folder.readService();
  const notRunning = `No service is running on the data folder ${folder.path}. Start it with \`npm start\`, or name another folder with --data.`;
  if (service === undefined) throw new UsageError(notRunning);
  const client = dynamoDbClient(service.dynamoDbEndpoint);
  try {
    await client.send(new DescribeTableCommand({ TableName: TABLE_NAME })).catch((cause) => {
      throw new UsageError(notRunning, { cause });
    });
    return await work(openTable(client, TABLE_NAME));
  } finally {
    client.destroy();
  }
}
