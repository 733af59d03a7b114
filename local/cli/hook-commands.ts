import type { Command } from "commander";
import { HOOK_EVENTS, HOOK_FORMATS } from "../../functions/contract/hooks/hook-words.ts";
import { collect, onApi, YES } from "./options.ts";

const hook = () => import("../commands/hook.ts");

export function addHookCommands(gleaner: Command): void {
  const parent = gleaner
    .command("hook")
    .description("manage hooks, which tell people or programs when something happens");
  onApi(parent, "add <format> <url>", `create a hook; formats: ${HOOK_FORMATS.join(", ")}`)
    .option(
      "--event <name>",
      `what it is told (repeatable): ${HOOK_EVENTS.join(", ")} (default: scraper.failing and scraper.recovered)`,
      collect,
    )
    .option("--scraper <id>", "only events of this scraper; the hook is deleted with it")
    .action(async (format, url, options) => (await hook()).add(format, url, options));
  onApi(parent, "list", "list hooks, newest first").action(async (options) => (await hook()).list(options));
  onApi(parent, "test <id>", "send a test, and show whether it arrived; exits with 1 if not").action(
    async (id, options) => (await hook()).test(id, options),
  );
  onApi(parent, "remove <id...>", "delete hooks")
    .option(...YES)
    .action(async (ids, options) => (await import("../commands/delete.ts")).remove("hooks", ids, options));
}
