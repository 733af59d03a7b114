import { listMissing, mayLackRows } from "./list-failures.ts";
import type { ListRun } from "./list-reader.ts";
import type { Source } from "./source.ts";

/** The only page of a list. A windowed list has a part for each window. */
export async function* onePage({ session, list, reader, progress }: ListRun): Source {
  const { tab } = session;
  const { step, from } = list;
  const { limit } = progress;
  const result = await reader.read({ part: "all", limit });
  const { state, rows, isIncomplete, windowed } = result;
  if (state !== "rows") throw listMissing(step, tab, isIncomplete);
  let url: string | undefined = tab.address();
  if (windowed) {
    for await (const next of reader.windows(limit)) {
      yield { rows: next.rows, findings: next, url, isWindow: true };
      url = undefined;
    }
    if (url === undefined) return;
  }
  const isPart = rows.length < limit && mayLackRows(tab, rows.length, from?.rows);
  yield { rows, findings: result, url, isEnd: true, isPart };
}
