import { TransactionCanceledException } from "@aws-sdk/client-dynamodb";
import { expect, test } from "@jest/globals";
import { NO_FILES } from "../../../functions/store/files.ts";
import { getAll, type Table, TableOverloaded, transact } from "../../../functions/store/table.ts";

/** A table that answers each request like this, and how many there were. */
function answering(answer: () => unknown): { table: Table; requests: () => number } {
  let requests = 0;
  const send = async () => {
    requests += 1;
    return answer();
  };
  return {
    table: { name: "gleaner", db: { send } as unknown as Table["db"], files: NO_FILES },
    requests: () => requests,
  };
}

test("items that the table never returns are asked for a limited number of times", async () => {
  const keys = [{ pk: "a" }, { pk: "b" }];
  const { table, requests } = answering(() => ({ UnprocessedKeys: { gleaner: { Keys: keys } } }));
  await expect(getAll(table, keys)).rejects.toThrow(TableOverloaded);
  expect(requests()).toBeLessThan(20);
});

test("a throttled transaction is repeated, a limited number of times", async () => {
  const throttled = new TransactionCanceledException({
    message: "Transaction cancelled",
    $metadata: {},
    CancellationReasons: [{ Code: "None" }, { Code: "ThrottlingError" }],
  });
  const reject = () => {
    throw throttled;
  };
  const { table, requests } = answering(reject);
  await expect(transact(table, "token", [])).rejects.toThrow(TableOverloaded);
  expect(requests()).toBeGreaterThan(2);
  let left = 2;
  const later = answering(() => (left-- > 0 ? reject() : {}));
  expect(await transact(later.table, "token", [])).toBe(true);
});
