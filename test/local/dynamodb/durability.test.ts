import { fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { QueryCommand } from "@aws-sdk/lib-dynamodb";
import { beforeEach, expect, test } from "@jest/globals";
import { indexes } from "../../../functions/store/table.ts";
import { openLocalTable, TABLE_NAME, tableOf } from "../../../local/backend.ts";
import { newFolder } from "../../new-folder.ts";

const mortalTable = fileURLToPath(new URL("./mortal-table.ts", import.meta.url));

let folder: string;
let file: string;
beforeEach(async () => {
  folder = await newFolder();
  file = join(folder, "table.sqlite");
});

interface Counted {
  sk: string;
  count: number;
  due_at: string;
}

test("after kill -9, the table has every acknowledged write, transactions as a whole, and indexes to match", async () => {
  let acknowledged = 0;
  for (let death = 1; death <= 8; death += 1) {
    const child = fork(mortalTable, [file, String(acknowledged + 1)], {
      env: { ...process.env, NODE_OPTIONS: "" },
    });
    const wanted = acknowledged + death * 5;
    child.on("message", (count) => {
      acknowledged = Number(count);
      if (acknowledged >= wanted) child.kill("SIGKILL");
    });
    const [, signal] = await once(child, "exit");
    expect(signal).toBe("SIGKILL");

    const { items, entries } = await readBoth();
    const countOf = (sk: string) => items.find((item) => item.sk === sk)?.count ?? 0;
    expect(countOf("left")).toBe(countOf("right"));
    for (const sk of ["single", "left"]) {
      // The write under way at the end may have been done too.
      expect([acknowledged, acknowledged + 1]).toContain(countOf(sk));
    }
    expect(countOf("single")).toBeGreaterThanOrEqual(countOf("left"));
    expect(entries).toEqual(items.map(({ count, due_at }) => `${count} ${due_at}`).toSorted());
    acknowledged = Math.max(acknowledged, countOf("single"));
  }
});

async function readBoth() {
  const dynamoDb = openLocalTable(file);
  try {
    const { db } = tableOf(dynamoDb);
    const query = async (attribute: string, value: string, IndexName?: string) => {
      const { Items = [] } = await db.send(
        new QueryCommand({
          TableName: TABLE_NAME,
          IndexName,
          KeyConditionExpression: "#partition = :value",
          ExpressionAttributeNames: { "#partition": attribute },
          ExpressionAttributeValues: { ":value": value },
        }),
      );
      return Items;
    };
    const entries = await query("due", "RUN", indexes.due);
    return {
      items: (await query("pk", "ITEMS")) as Counted[],
      entries: entries.map(({ id, due_at }) => `${id} ${due_at}`).toSorted(),
    };
  } finally {
    dynamoDb.close();
  }
}
