import { type Schedules, sweptSchedules } from "../schedules/schedules.ts";
import { deleteHooks } from "../store/hooks/hooks.ts";
import { deleteMemory } from "../store/scraper-memory.ts";
import { deleteScraper as deleteStored } from "../store/scrapers.ts";
import type { Table } from "../store/table.ts";

/** Deletes a scraper, its schedule and its hooks; its runs stay readable. False if the account has no such scraper. */
export async function deleteScraper(
  table: Table,
  account: string,
  id: string,
  schedules: Schedules = sweptSchedules,
): Promise<boolean> {
  const isDeleted = await deleteStored(table, account, id);
  if (isDeleted) await schedules.remove(account, id);
  // Also if it was deleted before, in case that request died here.
  await deleteHooks(table, account, (hook) => hook.scraper_id === id);
  await deleteMemory(table, { account, scraper_id: id });
  return isDeleted;
}
