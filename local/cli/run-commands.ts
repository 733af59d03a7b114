import { type Command, Option } from "commander";
import { collect, onApi, wholeFrom, YES } from "./options.ts";

const manage = () => import("../commands/run/manage.ts");

export const OUTPUT = [
  "-o, --output <file>",
  "write the rows to this file when the run has succeeded (.csv, .jsonl, .json or .xlsx)",
] as const;

export function addRunCommands(gleaner: Command): void {
  const run = gleaner.command("run").description("start, watch and stop runs, and get their rows");
  addStart(run);
  onApi(
    run,
    "watch <id>",
    "show a run until it ends; exits with 1 if it fails. Ctrl-C stops watching, not the run",
  )
    .option(...OUTPUT)
    .action(async (id, options) => (await import("../commands/run/watch.ts")).watch(id, options));
  onApi(run, "stop <id>", "stop a run; it keeps its rows").action(async (id, options) =>
    (await manage()).stop(id, options),
  );
  onApi(run, "list", "list runs, newest first")
    .option("--scraper <id>", "only runs of this scraper")
    .addOption(
      new Option("--status <status>", "only runs with this status").choices([
        "running",
        "successful",
        "failed",
      ]),
    )
    .option("--limit <number>", "how many to list", wholeFrom(1), 50)
    .action(async (options) => (await manage()).list(options));
  onApi(run, "show <id>", "show the progress or the result of a run")
    .option("--screenshot <file>", "write the screenshot of a failed run to this file (JPEG)")
    .action(async (id, options) => (await manage()).show(id, options));
  onApi(run, "log <id>", "print what happened during a run")
    .option("--follow", "keep printing until the run ends")
    .action(async (id, options) => (await import("../commands/run/log.ts")).log(id, options));
  addRows(run);
  onApi(run, "deliveries <id>", "show the deliveries of the rows of a run or a batch to its destinations")
    .option("--resend", "send the rows again, to the destinations that the scraper has now")
    .action(async (id, options) => (await import("../commands/run/deliveries.ts")).deliveries(id, options));
  onApi(run, "changes <id>", "print the rows that are new, changed or removed since the last good run")
    .option("--kinds <kinds>", "only these kinds, separated by commas: new, changed, removed")
    .addOption(
      new Option(
        "-f, --format <format>",
        "file format; by default that of the file's name, else csv",
      ).choices(["csv", "jsonl", "json", "xlsx"]),
    )
    .option("-o, --output <file>", "write the changes to this file")
    .action(async (id, options) => (await import("../commands/run/changes.ts")).changes(id, options));
  onApi(run, "files <id>", "list the files that a run has downloaded, or save them")
    .option(
      "-o, --output <path>",
      "save the files into this folder, or into a ZIP archive if it ends with .zip. Files that the folder has already are kept",
    )
    .action(async (id, options) => (await import("../commands/run/files.ts")).files(id, options));
  onApi(run, "delete <id...>", "delete finished runs with their rows")
    .option(...YES)
    .action(async (ids, options) => (await import("../commands/delete.ts")).remove("runs", ids, options));
}

function addStart(run: Command): void {
  onApi(run, "start <scraper-id>", "start a run of a scraper")
    .option(
      "--set <step=value>",
      "new value or address of the step with this id, for this run (repeatable)",
      collect,
    )
    .option(
      "--inputs <file>",
      "run the scraper once for each input: a CSV, JSON Lines or JSON file, - for standard input, the URL of a CSV file, or a JSON file with a source",
    )
    .option("--concurrency <number>", "with --inputs: runs that are made at a time", wholeFrom(1))
    .option("--limit <number>", "maximum number of rows of each run", wholeFrom(1))
    .option("--only-new", "leave out rows that an earlier good run had; the list needs a key")
    .option("--webhook <url>", "URL that gets the finished run, or the finished batch")
    .option(
      "--watch",
      "show the run until it ends; exits with 1 if it fails. Ctrl-C stops watching, not the run",
    )
    .option(OUTPUT[0], `watch the run, and ${OUTPUT[1]}`)
    .action(async (id, options) => (await import("../commands/run/start.ts")).start(id, options));
}

function addRows(run: Command): void {
  addRowsOptions(
    onApi(run, "rows <id>", "print the rows that a run has so far, or write them to a file"),
  ).action(async (id, options) => (await import("../commands/run/rows.ts")).rows(id, options));
}

/** Adds the options that select rows and the file for them. */
export const addRowsOptions = (command: Command): Command =>
  command
    .addOption(
      new Option(
        "-f, --format <format>",
        "file format; by default that of the file's name, else csv",
      ).choices(["csv", "jsonl", "json", "xlsx"]),
    )
    .option("-o, --output <file>", "write the rows to this file")
    .option("--text", "in an xlsx file, keep all values as text, also columns of numbers and dates")
    .option("--fields <names>", "only these fields, separated by commas, in this order")
    .option("--offset <number>", "index of the first row", wholeFrom(0))
    .option("--limit <number>", "maximum number of rows", wholeFrom(1));
