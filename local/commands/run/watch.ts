import type { Row, Run } from "../../../functions/contract/runs/run.ts";
import type { LogEvent } from "../../../functions/contract/runs/run-log.ts";
import { statusWord, statusWords } from "../../../functions/contract/runs/status-words.ts";
import { type Api, connect, pathOf } from "../../client/api.ts";
import { findId } from "../../client/find-id.ts";
import type { Where } from "../../client/target.ts";
import { EXIT } from "../../command-error.ts";
import { previewTable } from "../../terminal/preview-table.ts";
import { note, print, suggest } from "../../terminal/print.ts";
import { follow } from "../follow.ts";
import { readLog } from "./log.ts";
import { counted, describeOutcome, describeProblems, describeProgress } from "./progress.ts";
import { assertOutput, saveRows } from "./rows.ts";

interface Options extends Where {
  output?: string;
  json?: boolean;
}

export async function watch(named: string, { output, json, ...where }: Options): Promise<void> {
  await assertOutput(output);
  const api = await connect(where);
  await watchRun(api, await findId(api, "runs", named), { output, json });
}

/** Shows the progress of a run until it ends, and then its outcome. The exit code is 1 if the run fails. */
export async function watchRun(
  api: Api,
  id: string,
  { output, json }: { output?: string | undefined; json?: boolean | undefined },
): Promise<void> {
  const run = await follow<Run>(api, { kind: "runs", id, json, describe: describer(api, id) });
  if (!json) tell(run);
  if (run.status !== "successful") {
    process.exitCode = EXIT.failed;
    if (output !== undefined) note(`${output} was not written, because the run did not succeed.`);
  } else if (output !== undefined) {
    await saveRows(api, id, { output, quiet: json });
  }
  const { isTTY, columns } = process.stdout;
  if (!json && isTTY && output === undefined && run.row_count > 0) {
    await preview(api, id, run.row_count, columns);
  }
  if (!json) advise(run, output);
}

/** Describes the run by its newest event. Reading the log also makes the service store the progress more often. */
function describer(api: Api, id: string): (run: Run) => Promise<string> {
  let after = 0;
  let newest: LogEvent | undefined;
  return async (run) => {
    const events = await readLog(api, id, after);
    after = events.next;
    newest = events.data.at(-1) ?? newest;
    return describeProgress(run, newest);
  };
}

function tell(run: Run): void {
  print(describeOutcome(run));
  for (const problem of describeProblems(run)) note(problem);
}

function advise(run: Run, output: string | undefined): void {
  const { id, status, row_count } = run;
  if (status === "successful" && output === undefined) suggest(`run rows ${id} -o rows.xlsx`);
  if (status === "successful") return;
  if (statusWord(run) === statusWords.failed)
    suggest(`run show ${id} --screenshot page.jpg`, "what the page looked like");
  if (row_count > 0) suggest(`run rows ${id} -o rows.xlsx`, "the rows that it got");
}

const ROWS = 5;

/** Prints the first rows of a run as a table that fits the terminal. */
export async function preview(api: Api, id: string, rowCount: number, width: number): Promise<void> {
  const rows = await api.get<Row[]>(pathOf("runs", id, "/rows"), { format: "json", limit: ROWS });
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const { table, omitted } = previewTable(names, rows, width);
  print(table);
  const left = [
    ...(rowCount > rows.length ? [counted(rowCount - rows.length, "row")] : []),
    ...(omitted.length > 0 ? [counted(omitted.length, "column")] : []),
  ];
  if (left.length > 0) print(`… and ${left.join(" and ")} more`);
}
