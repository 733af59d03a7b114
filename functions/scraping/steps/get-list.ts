import type { Pagination } from "../../contract/scraper.ts";
import type { FramePath } from "../../contract/steps.ts";
import type { Batch } from "../job.ts";
import { type GetList, readList } from "../lists/driver.ts";
import { navigate } from "../page/navigate.ts";
import type { Session } from "../session.ts";
import type { RunCheckpoint } from "./run-checkpoint.ts";

/** Whether the list's page needs no layout before its rows are looked at. */
export const canHoldLayout = ({ frame }: { frame?: FramePath | undefined }, { type }: Pagination): boolean =>
  frame === undefined && type !== "infinite_scroll";

/** The batches of a list, without the rows that an earlier attempt already had. */
export async function* getList(
  session: Session,
  list: GetList,
  from: RunCheckpoint | undefined,
): AsyncGenerator<Batch> {
  if (from?.url !== undefined) await reopen(session, list, from, from.url);
  const { number, turn, skip: rows } = from ?? {};
  const start = number === undefined ? undefined : { number, turn, rows };
  yield* readList(session, { ...list, from: start }, from);
}

/** Opens the page again that an earlier attempt stopped at. */
async function reopen(
  session: Session,
  { step, pagination }: GetList,
  from: RunCheckpoint,
  url: string,
): Promise<void> {
  session.loads.current = from.loads - 1;
  await session.tab.holdLayout(canHoldLayout(step, pagination));
  const by = (from.number ?? 1) > 1 ? "site" : "step";
  await navigate(session, session.tab, session.secrets.url(url), by);
  session.checkLoads();
}
