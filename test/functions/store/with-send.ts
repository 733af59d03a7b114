import type { Table } from "../../../functions/store/table.ts";

type Command = Parameters<Table["db"]["send"]>[0];

/** What a command is, and what it says of the table. */
export interface SentCommand {
  name: string;
  input: Record<string, unknown>;
}

/** The same table, whose requests pass through `hook`, above the retries of the SDK: it may fail before or after one. */
export const withSend = (
  table: Table,
  hook: (send: () => Promise<unknown>, command: SentCommand) => Promise<unknown>,
): Table => ({
  ...table,
  db: new Proxy(table.db, {
    get: (db, property) =>
      property === "send"
        ? async (command: Command) =>
            hook(() => db.send(command), {
              name: command.constructor.name,
              input: command.input as unknown as Record<string, unknown>,
            })
        : Reflect.get(db, property),
  }),
});

/** Whether a command writes. */
export const isWrite = ({ name }: SentCommand): boolean => /Put|Update|Write|Delete/.test(name);

/** The same table, whose answer to the first conditional write is lost: the SDK repeats it. */
export function repeating(table: Table): Table {
  let isLost = false;
  return withSend(table, async (send, { input }) => {
    if (input.ConditionExpression !== undefined && !isLost) {
      isLost = true;
      await send();
    }
    return send();
  });
}
