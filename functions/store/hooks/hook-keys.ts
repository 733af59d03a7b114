import type { RunRef } from "../../runs/run.ts";
import { FIRST_ALERT, isAlertId, numberKey, numberOf } from "../runs/numbering.ts";
import { accountPartition } from "../table.ts";

/*
 * All hooks of an account are one item, because whoever reads them needs all of them, and so their number and changes are
 * exact. It is in a partition of its own, which an executor can't read: addresses of hooks may hold secrets. Each alert is
 * an item, which expires.
 */

export const hooksKey = (account: string) => ({ pk: `${accountPartition(account)}#HOOKS`, sk: "HOOKS" });

export const alertsPartition = (account: string) => `${accountPartition(account)}#ALERTS`;

/** What the keys of all alerts of the hook with this number begin with. They sort by time. */
export const alertsPrefix = (hookNumber: number) => `${numberKey(hookNumber)}#`;

/** Undefined for an id that is not that of an alert. */
export function alertKey({ account, id }: RunRef): { pk: string; sk: string } | undefined {
  if (!isAlertId(id)) return undefined;
  return {
    pk: alertsPartition(account),
    sk: alertsPrefix((numberOf(id) ?? 0) - FIRST_ALERT) + id,
  };
}

/** Whether a scraper works, by its runs. Next to the index of its runs, apart from the items that each run changes. */
export const healthKey = (account: string, scraperId: string) => ({
  pk: `${accountPartition(account)}#SCRAPER#${scraperId}`,
  sk: "HEALTH",
});

/** For which month, and for which limit, the account was told that its credits are low. */
export const lowCreditsKey = (account: string) => ({ pk: hooksKey(account).pk, sk: "LOW_CREDITS" });
