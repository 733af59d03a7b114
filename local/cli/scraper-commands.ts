import type { Command } from "commander";
import { onApi, parsePages, wholeFrom, YES } from "./options.ts";

const manage = () => import("../commands/scraper/manage.ts");

export function addScraperCommands(gleaner: Command): void {
  const scraper = gleaner.command("scraper").description("make, check, store, compare and delete scrapers");
  addNewAndCheck(scraper);
  onApi(
    scraper,
    "put <file...>",
    "store the scrapers that JSON files define; one with an id replaces that scraper",
  ).action(async (files, options) => (await import("../commands/scraper/put.ts")).put(files, options));
  onApi(scraper, "pull [id...]", "write stored scrapers to files, by default all of them")
    .option("--dir <folder>", "folder of the files", ".")
    .option(...YES)
    .action(async (ids, options) => (await import("../commands/scraper/pull.ts")).pull(ids, options));
  onApi(
    scraper,
    "diff <file...>",
    "show how files differ from the stored scrapers; exits with 1 if they do",
  ).action(async (files, options) => (await import("../commands/scraper/diff.ts")).diff(files, options));
  onApi(scraper, "list", "list the account's scrapers, newest first").action(async (options) =>
    (await manage()).list(options),
  );
  onApi(scraper, "show <id>", "show a scraper's steps, schedule and last run").action(async (id, options) =>
    (await manage()).show(id, options),
  );
  onApi(scraper, "edit <id>", "change a scraper in the editor that VISUAL or EDITOR names").action(
    async (id, options) => (await import("../commands/scraper/edit.ts")).edit(id, options),
  );
  onApi(
    scraper,
    "repair <id>",
    "try the selectors that the last run suggests, and store them after a question",
  )
    .option(...YES)
    .action(async (id, options) => (await import("../commands/scraper/repair.ts")).repair(id, options));
  onApi(scraper, "delete <id...>", "delete scrapers and their schedules; their runs stay")
    .option(...YES)
    .action(async (ids, options) => (await import("../commands/delete.ts")).remove("scrapers", ids, options));
  onApi(scraper, "pause <id>", "pause a scraper's schedule").action(async (id, options) =>
    (await manage()).setPaused(id, true, options),
  );
  onApi(scraper, "resume <id>", "resume a scraper's schedule").action(async (id, options) =>
    (await manage()).setPaused(id, false, options),
  );
}

function addNewAndCheck(scraper: Command): void {
  onApi(scraper, "new <url>", "make a scraper for a list on a page, and store it")
    .option("-o, --output <file>", "write the definition to this file instead of storing it")
    .option("--name <text>", "name of the scraper; by default the title of the page")
    .option("--list <number>", "use the list with this number, without asking", wholeFrom(1))
    .option("--from-json", "read the rows from JSON that the page carries, if that has been found")
    .option("--session <name>", "begin with a kept sign-in, which the scraper then uses, too")
    .option(
      "--check <text>",
      "with --session: what only a signed-in visitor sees on the page; by default the control that signs out",
    )
    .option("-y, --yes", "use the first list, and replace the file, without asking")
    .action(async (url, options) => (await import("../commands/scraper/new.ts")).create(url, options));
  onApi(
    scraper,
    "import <file>",
    "make a scraper from a sitemap of webscraper.io or a robot of Maxun, and store it; says what was left out",
  )
    .option("-o, --output <file>", "write the definition to this file instead of storing it")
    .option("--name <text>", "name of the scraper; by default that in the file")
    .option("-y, --yes", "replace the file without asking")
    .action(async (file, options) =>
      (await import("../commands/scraper/import.ts")).importFile(file, options),
    );
  onApi(
    scraper,
    "check <file|id>",
    "run a scraper on its first pages without storing rows; exits with 1 if there is a problem",
  )
    .option(
      "--pages <number>",
      "pages of the list to read, from 1 to 3; with 2 or 3, the pagination is checked, too",
      parsePages,
      2,
    )
    .action(async (named, options) => (await import("../commands/scraper/check.ts")).check(named, options));
}
