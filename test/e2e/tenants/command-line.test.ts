import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "@jest/globals";
import type { Command } from "commander";
import { program } from "../../../local/cli.ts";
import { withService } from "../../../local/connect.ts";
import { gleaner as run } from "../cli/gleaner.ts";
import { startWorld } from "../harness.ts";
import { createTenants, neverGiven, type Tenant } from "./tenants.ts";

/* The command line works on one account at a time: of another one's ids it knows nothing. */

const world = await startWorld();
afterAll(() => world.stop());
const { mine, theirs } = await world.withTable(createTenants);
const [runId = ""] = theirs.runs;
const [scraper = ""] = theirs.scrapers;
const [batchId = ""] = theirs.batches;
const [hookId = ""] = theirs.hooks;
const file = join(world.data, "definition.json");

/** What a command prints and how it exits. The account is that of the key, or, where there is no key, the one named. */
async function gleaner({ key, account }: Tenant, ...args: string[]): Promise<string> {
  const isApi = isApiCommand(args);
  const who = isApi ? [] : ["--account", account];
  const env: Record<string, string> = isApi ? { GLEANER_KEY: key } : {};
  return JSON.stringify(await run([...args, ...who, "--data", world.data], env));
}

const isApiCommand = ([group = "", name = ""]: readonly string[]) =>
  ["scraper", "run", "batch", "hook", "session"].includes(group) || ["attempts", "resend"].includes(name);

// The key that encrypts secrets is not to be this user's own.
process.env.XDG_CONFIG_HOME = join(world.data, "config");
const secret = "their-password";
await withService({ data: world.data }, (_table, secrets) =>
  secrets.put(theirs.account, secret, { value: "correct horse", hosts: [] }, new Date()),
);

/** A command that names a scraper, a run or a batch by its id. */
const ofScraper = (...args: string[]) => ({ args: (id: string) => ["scraper", ...args, id], id: scraper });
const ofRun = (...args: string[]) => ({ args: (id: string) => ["run", ...args, id], id: runId });
const ofBatch = (...args: string[]) => ({ args: (id: string) => ["batch", ...args, id], id: batchId });

const ofHook = (...args: string[]) => ({ args: (id: string) => ["hook", ...args, id], id: hookId });

/** For each command that takes an argument: how it names what is the other account's; or why it names nothing. */
const commands: Record<string, { args: (id: string) => string[]; id: string; never?: string } | string> = {
  "scraper new": "it makes one's own, and says nothing of others",
  "scraper import": "it makes one's own from a file that names nothing of others",
  "scraper check": ofScraper("check"),
  "scraper put": { args: () => ["scraper", "put", file], id: scraper },
  "scraper pull": ofScraper("pull", "--dir", join(world.data, "pulled")),
  "scraper diff": { args: () => ["scraper", "diff", file], id: scraper },
  "scraper show": ofScraper("show"),
  "scraper edit": ofScraper("edit"),
  "scraper repair": ofScraper("repair", "--yes"),
  "scraper pause": ofScraper("pause"),
  "scraper resume": ofScraper("resume"),
  "scraper delete": ofScraper("delete", "--yes"),
  "run start": { args: (id) => ["run", "start", id], id: scraper },
  "run watch": ofRun("watch"),
  "run stop": ofRun("stop"),
  "run show": ofRun("show"),
  "run log": ofRun("log"),
  "run changes": ofRun("changes"),
  "run files": ofRun("files"),
  "run rows": ofRun("rows"),
  "run delete": ofRun("delete", "--yes"),
  "batch watch": ofBatch("watch"),
  "batch stop": ofBatch("stop"),
  "run deliveries": { args: (id) => ["run", "deliveries", id], id: runId },
  "batch show": ofBatch("show"),
  "batch rows": ofBatch("rows"),
  "batch retry": ofBatch("retry"),
  "batch delete": ofBatch("delete", "--yes"),
  "hook add": {
    args: (id) => ["hook", "add", "standard", "https://example.org/hook", "--scraper", id],
    id: scraper,
  },
  "hook test": ofHook("test"),
  "hook remove": ofHook("remove", "--yes"),
  "webhook attempts": { args: (id) => ["webhook", "attempts", id], id: runId },
  "webhook resend": { args: (id) => ["webhook", "resend", id], id: runId },
  "session sign-in": "it makes one's own, and says nothing of others",
  "session check": {
    args: (name) => ["session", "check", name],
    id: "session-acme",
    never: "never-session",
  },
  "session delete": {
    args: (name) => ["session", "delete", "--yes", name],
    id: "session-acme",
    never: "never-session",
  },
  "secret set": "it makes one's own, and says nothing of others",
  "secret remove": {
    args: (name) => ["secret", "remove", "--yes", name],
    id: secret,
    never: "never-password",
  },
  "account create": "it names an account, not something of one",
  "account set": "it names an account, not something of one",
  "account show": "it names an account, not something of one",
  "account delete": "it names an account, not something of one",
  backup: "it is of a whole data folder, which its reader can read anyway",
  restore: "it is of a whole data folder, which its reader can read anyway",
  completion: "it names a shell",
  "mcp install": "it names a program of this machine",
  "key revoke":
    "a key is known by its id alone: whoever has found one revokes it without knowing whose it is",
};

function* leaves(command: Command, path: string[] = []): Generator<{ name: string; command: Command }> {
  if (command.commands.length === 0) yield { name: path.join(" "), command };
  for (const child of command.commands) yield* leaves(child, [...path, child.name()]);
}

test("each command that takes an argument is tried below", () => {
  const all = [...leaves(program())].filter(({ command }) => command.registeredArguments.length > 0);
  expect(Object.keys(commands).sort()).toEqual(all.map(({ name }) => name).sort());
});

describe("an id of another account is answered as one that never was", () => {
  const tried = Object.entries(commands).flatMap(([name, one]) =>
    typeof one === "string" ? [] : [{ name, ...one }],
  );
  test.each(tried)("$name", async ({ args, id, never = neverGiven(id) }) => {
    const ask = async (asked: string) => {
      const definition = {
        id: asked,
        name: "Mine now",
        steps: [{ type: "visit", url: "https://example.org/" }],
      };
      await writeFile(file, JSON.stringify(definition));
      return (await gleaner(mine, ...args(asked))).replaceAll(asked, "ID");
    };
    const answer = await ask(id);
    expect(answer).toBe(await ask(never));
    expect(answer).toContain(isApiCommand(args(id)) ? '"code":4' : '"code":1');
  });
});

test("lists show the account's own", async () => {
  for (const [list, own, others] of [
    [["scraper", "list"], mine.scrapers, theirs.scrapers],
    [["secret", "list"], [], [secret]],
    [["key", "list"], [mine.key.slice(4, 16)], [theirs.key.slice(4, 16)]],
  ] as const) {
    const shown = await gleaner(mine, ...list);
    for (const id of own) expect(shown).toContain(id);
    for (const id of others) expect(shown).not.toContain(id);
  }
});

test("what the other account has is still there", async () => {
  expect(await gleaner(theirs, "scraper", "list")).toContain(scraper);
  expect(await gleaner(theirs, "secret", "list")).toContain(secret);
  expect(await gleaner(theirs, "run", "show", runId)).toContain("Running");
});
