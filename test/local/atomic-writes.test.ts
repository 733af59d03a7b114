import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { QueryCommand } from "@aws-sdk/lib-dynamodb";
import { expect, test } from "@jest/globals";
import { allDue } from "../../functions/store/due.ts";
import { openTable } from "../../functions/store/table.ts";
import { TABLE_NAME } from "../../local/dynamodb-client.ts";
import { startEmulators } from "../../local/emulators.ts";

const mortalTable = fileURLToPath(new URL("./mortal-table.ts", import.meta.url));
const FAR_OFF = new Date("9999-01-01");

test("whichever write to the disk is the last one, the index says the same as the items", async () => {
  const folder = await mkdtemp(join(tmpdir(), "gleaner-atomic-"));
  try {
    for (const lifetime of [1, 2, 3, 4, 5, 6, 7]) {
      const child = spawn(process.execPath, [mortalTable, folder, String(lifetime)], {
        env: { ...process.env, NODE_OPTIONS: "" },
        stdio: "inherit",
      });
      const [, signal] = await once(child, "exit");
      expect(signal).toBe("SIGKILL");
      const { items, entries } = await readBoth(folder);
      expect(items.length).toBeGreaterThan(0);
      expect(entries).toEqual(items);
    }
  } finally {
    await rm(folder, { recursive: true });
  }
}, 60_000);

async function readBoth(folder: string) {
  const emulators = await startEmulators(folder);
  try {
    const table = openTable(emulators.dynamoDb, TABLE_NAME);
    const { Items = [] } = await table.db.send(
      new QueryCommand({
        TableName: TABLE_NAME,
        KeyConditionExpression: "pk = :pk",
        ExpressionAttributeValues: { ":pk": "ITEMS" },
      }),
    );
    const sorted = (found: { id?: string; due_at?: string }[]) =>
      found.map(({ id, due_at }) => `${id} ${due_at}`).toSorted();
    return { items: sorted(Items), entries: sorted(await Array.fromAsync(allDue(table, "RUN", FAR_OFF))) };
  } finally {
    await emulators.close();
  }
}
