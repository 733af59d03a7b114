import { userInfo } from "node:os";
import { recordChange } from "../functions/audit/record-change.ts";
import type { Change } from "../functions/store/audit.ts";
import { type Where, type Work, withService } from "./connect.ts";
import { note } from "./terminal/print.ts";

/** The change that a result stands for; undefined if nothing was changed. */
type Describe<T> = (result: T) => Omit<Change, "actor"> | undefined;

/**
 * Runs `work` on the table and the secrets of a service, and records what its operator has changed in the audit log.
 * @throws CommandError if there is no such service
 */
export function changeService<T>(where: Where, work: Work<T>, describe: Describe<T>): Promise<T> {
  return withService(where, async (table, secrets) => {
    const result = await work(table, secrets);
    const change = describe(result);
    const actor = { type: "operator", id: null, name: userInfo().username } as const;
    if (change !== undefined)
      await recordChange({ table, now: () => new Date(), log: { error: warn } }, { ...change, actor });
    return result;
  });
}

const warn = (message: string, { error }: Record<string, unknown> = {}) =>
  note(`Warning: the change was made, but ${message.replace(/^T/, "t")}: ${(error as Error).message}`);
