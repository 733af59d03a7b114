import { GetCommand, PutCommand, UpdateCommand } from "@aws-sdk/lib-dynamodb";
import { HOOKS_MAX } from "../../contract/hooks/hook.ts";
import type { StoredHook } from "../../hooks/hook.ts";
import { accountKey, getAccount } from "../accounts.ts";
import { newId } from "../runs/numbering.ts";
import { type Table, unlessConditionFails } from "../table.ts";
import { hooksKey } from "./hook-keys.ts";

interface HooksItem {
  /** Oldest first. */
  hooks: StoredHook[];
  /** How many hooks were ever created. */
  hook_count: number;
  version: number;
}

/** The account's hooks, newest first. */
export async function listHooks(table: Table, account: string): Promise<StoredHook[]> {
  return ((await readItem(table, account))?.hooks ?? []).toReversed();
}

export async function getHook(table: Table, account: string, id: string): Promise<StoredHook | undefined> {
  return (await readItem(table, account))?.hooks.find((hook) => hook.id === id);
}

/**
 * Whether the account has, or had, hooks. Says so by the account's item, which executors can read. It stays true when the
 * last hook is deleted, because another one may be created at the same time.
 */
export const hasHooks = async (table: Table, account: string): Promise<boolean> =>
  (await getAccount(table, account))?.has_hooks === true;

export type CreateHookResult =
  | { outcome: "created"; hook: StoredHook }
  | { outcome: "too_many" }
  /** A hook with the same format, address and scraper. */
  | { outcome: "exists"; id: string };

export async function createHook(
  table: Table,
  account: string,
  hook: Pick<StoredHook, "url" | "format" | "events" | "scraper_id">,
  now: Date,
): Promise<CreateHookResult> {
  // First, so that no run that ends after the hook exists is missed.
  await table.db.send(
    new UpdateCommand({
      TableName: table.name,
      Key: accountKey(account),
      UpdateExpression: "SET has_hooks = :true",
      ConditionExpression: "attribute_exists(pk)",
      ExpressionAttributeValues: { ":true": true },
    }),
  );
  for (;;) {
    const item = await readItem(table, account);
    const { hooks = [], hook_count = 0 } = item ?? {};
    const same = hooks.find(
      ({ url, format, scraper_id }) =>
        url === hook.url && format === hook.format && scraper_id === hook.scraper_id,
    );
    if (same !== undefined) return { outcome: "exists", id: same.id };
    if (hooks.length >= HOOKS_MAX) return { outcome: "too_many" };
    const id = newId(hook_count + 1, now);
    const created = { ...hook, id, disabled: null, created_at: now.toISOString() };
    const next = { hooks: [...hooks, created], hook_count: hook_count + 1 };
    if (await putItem(table, account, item, next, id)) return { outcome: "created", hook: created };
  }
}

/** Replaces the account's hooks by what `change` makes of them; undefined leaves them as they are. */
async function changeHooks(
  table: Table,
  account: string,
  change: (hooks: readonly StoredHook[]) => StoredHook[] | undefined,
): Promise<void> {
  for (;;) {
    const item = await readItem(table, account);
    const hooks = item && change(item.hooks);
    if (item === undefined || hooks === undefined) return;
    if (await putItem(table, account, item, { hooks, hook_count: item.hook_count })) return;
  }
}

/** Deletes the hooks that `isDeleted` selects. False if there was none. */
export async function deleteHooks(
  table: Table,
  account: string,
  isDeleted: (hook: StoredHook) => boolean,
): Promise<boolean> {
  let isFound = false;
  await changeHooks(table, account, (hooks) => {
    if (!hooks.some(isDeleted)) return undefined;
    isFound = true;
    return hooks.filter((hook) => !isDeleted(hook));
  });
  return isFound;
}

/** Disables a hook, or enables it (null). */
export async function setDisabled(
  table: Table,
  account: string,
  id: string,
  disabled: StoredHook["disabled"],
): Promise<void> {
  await changeHooks(table, account, (hooks) => {
    const isOther = (hook: StoredHook) => hook.id !== id || (hook.disabled === null) === (disabled === null);
    return hooks.every(isOther)
      ? undefined
      : hooks.map((hook) => (isOther(hook) ? hook : { ...hook, disabled }));
  });
}

async function readItem({ db, name: TableName }: Table, account: string): Promise<HooksItem | undefined> {
  const { Item } = await db.send(new GetCommand({ TableName, Key: hooksKey(account), ConsistentRead: true }));
  return Item as HooksItem | undefined;
}

/**
 * Stores the hooks, unless somebody has changed them since `before` was read. False if so. `created`: the hook that is
 * new. If the answer to a successful write is lost, its repetition by the SDK fails, but the hook is there.
 */
async function putItem(
  table: Table,
  account: string,
  before: HooksItem | undefined,
  next: Omit<HooksItem, "version">,
  created?: string,
): Promise<boolean> {
  const put = new PutCommand({
    TableName: table.name,
    Item: { ...hooksKey(account), ...next, version: (before?.version ?? 0) + 1 },
    ConditionExpression: before === undefined ? "attribute_not_exists(pk)" : "version = :version",
    ...(before && { ExpressionAttributeValues: { ":version": before.version } }),
  });
  if ((await unlessConditionFails(table.db.send(put))) !== undefined) return true;
  return created !== undefined && (await getHook(table, account, created)) !== undefined;
}
