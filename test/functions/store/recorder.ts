import type { Table } from "../../../functions/store/table.ts";

/** One request to the table: its command, all that it says, and the capacity that it took. */
export interface Recorded {
  command: string;
  input: Record<string, unknown>;
  capacity: number;
}

/** What `work` asks of the table. */
export async function record(table: Table, work: () => Promise<unknown>): Promise<Recorded[]> {
  const requests: Recorded[] = [];
  const name = "recorder";
  table.db.middlewareStack.add(
    (next, { commandName = "" }) =>
      async (args) => {
        const recorded: Recorded = { command: commandName, input: { ...args.input }, capacity: 0 };
        requests.push(recorded);
        (args.input as { ReturnConsumedCapacity?: string }).ReturnConsumedCapacity = "TOTAL";
        const result = await next(args);
        const { ConsumedCapacity } = result.output as { ConsumedCapacity?: { CapacityUnits?: number } };
        recorded.capacity = ConsumedCapacity?.CapacityUnits ?? 0;
        return result;
      },
    { step: "initialize", name },
  );
  try {
    await work();
  } finally {
    table.db.middlewareStack.remove(name);
  }
  return requests;
}
