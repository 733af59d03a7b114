import { type Schedules, sweptSchedules } from "../schedules/schedules.ts";
import { deleteScraper as deleteStored } from "../store/scrapers.ts";
import type { Table } from "../store/table.ts";

/** Deletes a scraper and its schedule; its runs stay readable. False if the account has no such scraper. */
export async function deleteScraper(
  table: Table,
  account: string,
  id: string,
  schedules: Schedules = sweptSchedules,
): Promise<boolean> {
  if (!(await deleteStored(table, account, id))) return false;
  await schedules.remove(account, id);
  return true;
}
