import { UpdateCommand } from "@aws-sdk/lib-dynamodb";
import { ClassicLevel } from "classic-level";
import { openTable } from "../../functions/store/table.ts";
import { TABLE_NAME } from "../../local/dynamodb-client.ts";
import { startEmulators } from "../../local/emulators.ts";

/* Moves items about in the table's index, and is killed as soon as so many writes have reached the disk. */
const [folder = "", lifetime = ""] = process.argv.slice(2);
let writes = 0;
let isCounting = false;
for (const name of ["put", "del", "batch"] as const) {
  const write = ClassicLevel.prototype[name] as (...args: unknown[]) => Promise<void>;
  Object.assign(ClassicLevel.prototype, {
    async [name](...args: unknown[]) {
      await write.apply(this, args);
      if (isCounting && ++writes === Number(lifetime)) process.kill(process.pid, "SIGKILL");
    },
  });
}

const { dynamoDb } = await startEmulators(folder);
const { db } = openTable(dynamoDb, TABLE_NAME);
isCounting = true;
for (let turn = 0; ; turn += 1) {
  await db.send(
    new UpdateCommand({
      TableName: TABLE_NAME,
      Key: { pk: "ITEMS", sk: String(turn % 2) },
      UpdateExpression: "SET due = :due, due_at = :at, id = :id",
      ExpressionAttributeValues: {
        ":due": "RUN#0",
        ":id": `item ${turn % 2}`,
        ":at": new Date(Date.now() + turn).toISOString(),
      },
    }),
  );
}
