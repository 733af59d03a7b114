import type { Command } from "commander";
import { onApi, wholeFrom, YES } from "./options.ts";
import { addRowsOptions, OUTPUT } from "./run-commands.ts";

const manage = () => import("../commands/batch/manage.ts");

export function addBatchCommands(gleaner: Command): void {
  const batch = gleaner
    .command("batch")
    .description("watch and stop batches, which `run start --inputs` starts, and get their rows");
  onApi(
    batch,
    "watch <id>",
    "show a batch until it has finished; exits with 1 if inputs failed. Ctrl-C stops watching, not the batch",
  )
    .option(...OUTPUT)
    .action(async (id, options) => (await import("../commands/batch/watch.ts")).watch(id, options));
  onApi(batch, "stop <id>", "stop a batch; it keeps its rows").action(async (id, options) =>
    (await manage()).stop(id, options),
  );
  onApi(batch, "list", "list batches, newest first")
    .option("--limit <number>", "how many to list", wholeFrom(1), 50)
    .action(async (options) => (await manage()).list(options));
  onApi(batch, "show <id>", "show the progress or the result of a batch")
    .option("--failed", "also show which inputs failed, and why")
    .option("--warned", "also show which successful inputs have warnings, and which warnings")
    .action(async (id, options) => (await manage()).show(id, options));
  addRowsOptions(
    onApi(batch, "rows <id>", "print the rows that a batch has so far, or write them to a file"),
  ).action(async (id, options) =>
    (await import("../commands/run/rows.ts")).rows(id, { ...options, kind: "batches" }),
  );
  onApi(batch, "retry <id>", "start a batch of the inputs that failed")
    .option("--watch", "show the new batch until it has finished")
    .option(OUTPUT[0], `watch the batch, and ${OUTPUT[1]}`)
    .action(async (id, options) => (await manage()).retry(id, options));
  onApi(batch, "delete <id...>", "delete finished batches with their runs")
    .option(...YES)
    .action(async (ids, options) => (await import("../commands/delete.ts")).remove("batches", ids, options));
}
