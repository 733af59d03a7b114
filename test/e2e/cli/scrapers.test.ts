import { chmod, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeEach, expect, test } from "@jest/globals";
import type { Scraper } from "../../../functions/contract/scrapers/scraper.ts";
import { PROJECT_FOLDER } from "../../../lib/project-folder.ts";
import { newFolder } from "../../new-folder.ts";
import { startWorld } from "../harness.ts";
import { run } from "../shell.ts";
import { gleaner } from "./gleaner.ts";

const world = await startWorld();
const root = await newFolder();
afterAll(async () => {
  await world.stop();
});

let dir: string;
beforeEach(async () => {
  dir = await mkdtemp(join(root, "files-"));
});

const cli = (...args: string[]) => gleaner([...args, "--data", world.data]);
const stored = async (id: string) => (await world.call<Scraper>(`/v1/scrapers/${id}`)).body;
const definition = {
  name: "Bücher: neu",
  steps: [
    { type: "visit", url: "https://example.org/" },
    { type: "get_list", selector: "li", fields: [{ name: "text" }] },
  ],
};

/** Replaces a scraper as another client does it. */
const replace = (id: string, change: object) =>
  world.call(`/v1/scrapers/${id}`, {
    method: "PUT",
    body: JSON.stringify({ ...definition, ...change }),
    headers: { "content-type": "application/json" },
  });

async function fileWith(content: object, name = "scraper.json"): Promise<string> {
  const path = join(dir, name);
  await writeFile(path, JSON.stringify(content));
  return path;
}

async function pulled(id: string): Promise<string> {
  await cli("scraper", "pull", id, "--dir", dir);
  return join(dir, "bucher-neu.json");
}

test("put stores, replaces, and says what is unchanged", async () => {
  const created = await cli("scraper", "put", await fileWith(definition), "--json");
  const { id, ...scraper } = JSON.parse(created.stdout);
  expect(created.code).toBe(0);
  expect(await stored(id)).toEqual({ id, ...scraper });

  // Without step ids and defaults, the file means the same.
  const same = await cli("scraper", "put", await fileWith({ id, ...definition }));
  expect(same).toMatchObject({ code: 0, stdout: expect.stringContaining("unchanged: version 1") });
  const other = await cli("scraper", "put", await fileWith({ id, ...definition, rows_limit: 5 }), "--json");
  expect(JSON.parse(other.stdout)).toEqual(await stored(id));
  expect(JSON.parse(other.stdout)).toMatchObject({ version: 2, rows_limit: 5 });
});

test("a folder is not a file of a scraper", async () => {
  expect(await cli("scraper", "put", dir)).toMatchObject({
    code: 1,
    stderr: `${dir} is a folder. Name the files in it, such as ${join(dir, "*.json")}.\n`,
  });
});

test("one bad file of several keeps no other from being stored", async () => {
  const good = await fileWith(definition);
  const bad = await fileWith({ name: "", steps: [] }, "bad.json");
  const said = await cli("scraper", "put", bad, good);
  expect(said.code).toBe(1);
  expect(said.stderr).toMatch(/bad\.json: .*\n.*name: must not be empty/);
  expect(said.stdout).toMatch(/^Stored the scraper "Bücher: neu" as /);
});

test("a file that was pulled is equal, and put tells what another client has changed meanwhile", async () => {
  const spreadsheet = "1AbCdEfGhIjKlMnOpQrStUvWxYz0123456789-_abcde";
  const sheet = {
    type: "google_sheets",
    spreadsheet,
    sheet: "Books",
    mode: "append",
    secret: "key",
  } as const;
  const { id } = await world.putScraper({
    ...definition,
    schedule: { interval: "1 day" },
    deliveries: [sheet],
  });
  const path = await pulled(id);
  const { stdout: shown } = await cli("scraper", "show", id);
  expect(shown).toContain("\nSchedule: every day, next at ");
  expect(shown).toContain(
    `\nDestination: https://docs.google.com/spreadsheets/d/${spreadsheet} Books (append)\n`,
  );
  expect(await cli("scraper", "diff", path)).toMatchObject({ code: 0, stdout: "" });
  expect((await cli("scraper", "pull", id, "--dir", dir)).stdout).toBe(`Unchanged: ${path}\n`);
  const text = await readFile(path, "utf8");
  expect(Object.keys(JSON.parse(text)).slice(0, 4)).toEqual(["id", "version", "name", "steps"]);

  await writeFile(path, text.replace('"rows_limit": 1000', '"rows_limit": 7'));
  const differs = await cli("scraper", "diff", path);
  expect(differs.code).toBe(1);
  expect(differs.stdout).toMatch(/^- .*1000,?\n\+ .*7,?$/m);
  expect(JSON.parse((await cli("scraper", "diff", path, "--json")).stdout)).toMatchObject({
    id,
    differs: true,
    lines: expect.arrayContaining(['+  "rows_limit": 7,']),
  });
  expect(await cli("scraper", "pull", id, "--dir", dir)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("--yes"),
  });
  expect(await readFile(path, "utf8")).toContain('"rows_limit": 7');

  await replace(id, { name: "Renamed" });
  const refused = await cli("scraper", "put", path);
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining("it is now version 2, but") });
  expect((await stored(id)).name).toBe("Renamed");
  await cli("scraper", "pull", id, "--dir", dir, "--yes");
  expect(await readdir(dir)).toEqual(["bucher-neu.json"]);
  expect(JSON.parse(await readFile(path, "utf8"))).toMatchObject({ name: "Renamed", version: 2 });
});

test("a file keeps its version over several puts", async () => {
  const { id } = await world.putScraper(definition);
  const path = await pulled(id);
  for (const rows_limit of [7, 8]) {
    const text = await readFile(path, "utf8");
    await writeFile(path, text.replace(/"rows_limit": \d+/, `"rows_limit": ${rows_limit}`));
    expect((await cli("scraper", "put", path)).code).toBe(0);
  }
  expect(JSON.parse(await readFile(path, "utf8"))).toMatchObject({ version: 3, rows_limit: 8 });
  expect(await stored(id)).toMatchObject({ version: 3, rows_limit: 8 });
});

test("a schedule goes on when a file with an earlier next_run is put", async () => {
  const daily = { interval: "1 day", next_run: "2020-01-31T09:00:00.000Z" };
  const { id } = await world.putScraper({ ...definition, schedule: daily });
  const path = await pulled(id);
  const { schedule, ...file } = JSON.parse(await readFile(path, "utf8"));
  const earlier = { ...schedule, next_run: "2020-02-03T09:00:00.000Z" };
  await writeFile(path, JSON.stringify({ ...file, schedule: earlier }));
  expect((await cli("scraper", "put", path)).stdout).toContain("unchanged");
  await writeFile(path, JSON.stringify({ ...file, schedule: earlier, rows_limit: 3 }));
  expect((await cli("scraper", "put", path)).code).toBe(0);
  expect(await stored(id)).toMatchObject({ schedule, rows_limit: 3 });
  const later = { ...schedule, next_run: "2020-02-03T10:00:00.000Z" };
  const { version } = await stored(id);
  await writeFile(path, JSON.stringify({ ...file, version, schedule: later, rows_limit: 3 }));
  expect((await cli("scraper", "put", path)).stdout).toContain("Replaced");
  expect((await stored(id)).schedule?.next_run).toMatch(/T10:00/);
});

test("pause keeps a schedule, and resume lets it go on", async () => {
  const monthly = { interval: "1 month", next_run: "2020-01-31T09:00:00.000Z" };
  const { id } = await world.putScraper({ ...definition, schedule: monthly });
  const { schedule } = await stored(id);
  const paused = await cli("scraper", "pause", id, "--json");
  expect(JSON.parse(paused.stdout)).toEqual(await stored(id));
  expect(await stored(id)).toMatchObject({ schedule: { ...schedule, paused: true }, version: 2 });
  expect((await cli("scraper", "pause", id)).stdout).toContain("already paused");
  expect((await cli("scraper", "list")).stdout).toContain("paused");
  expect((await cli("scraper", "resume", id)).stdout).toContain(`Next run: ${schedule?.next_run}`);
  expect((await stored(id)).schedule).toEqual(schedule);
  const without = await world.putScraper(definition);
  expect(await cli("scraper", "pause", without.id)).toMatchObject({ code: 1 });
});

test("pull writes all scrapers, each to a file of its own", async () => {
  const names = (await world.call<{ data: Scraper[] }>("/v1/scrapers")).body.data.map(({ id }) => id);
  const { stdout } = await cli("scraper", "pull", "--dir", dir, "--json");
  const lines = stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(lines.map(({ id }) => id)).toEqual(names);
  expect((await readdir(dir)).length).toBe(names.length);
});

test("list and show print the stored objects", async () => {
  const { id } = await world.putScraper(definition);
  expect(JSON.parse((await cli("scraper", "show", id, "--json")).stdout)).toEqual(await stored(id));
  const { data } = (await world.call<{ data: Scraper[] }>("/v1/scrapers")).body;
  expect(JSON.parse((await cli("scraper", "list", "--json")).stdout)).toEqual(data);
  expect((await cli("scraper", "show", id)).stdout).toContain("2. read the list li: text");
  expect((await cli("scraper", "list")).stdout).toContain(id);
});

test("what breaks off while pull writes leaves no part of a file", async () => {
  const { id } = await world.putScraper(definition);
  // No file may get longer than nothing. The compile cache is a file, too.
  const command = `ulimit -f 0; exec node "$GLEANER" scraper pull ${id} --dir "${dir}" --data "${world.data}"`;
  const env = { NODE_DISABLE_COMPILE_CACHE: "1", GLEANER: join(PROJECT_FOLDER, "bin", "gleaner.js") };
  const { code, stderr } = await run(command, { cwd: PROJECT_FOLDER, bin: dir, env, input: "" });
  expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining("EFBIG") });
  expect(await readdir(dir)).toEqual([]);
});

test("edit stores what the editor saves, and keeps what the service refuses", async () => {
  const { id } = await world.putScraper(definition);
  const editor = join(dir, "editor.sh");
  const editWith = async (script: string, ...args: string[]) => {
    await writeFile(editor, `#!/bin/sh\n${script}\n`);
    await chmod(editor, 0o700);
    return gleaner(["scraper", "edit", id, ...args, "--data", world.data], { VISUAL: editor });
  };
  expect((await editWith(`sed -i.bak 's/"rows_limit": 1000/"rows_limit": 9/' "$1"`)).code).toBe(0);
  expect(await stored(id)).toMatchObject({ rows_limit: 9, version: 2 });
  expect((await editWith(":")).stderr).toContain("unchanged");
  const refused = await editWith(`sed -i.bak 's/"rows_limit": 9/"rows_limit": 0/' "$1"`);
  expect(refused.stderr).toContain("rows_limit: must be at least 1");
  const [, kept = ""] = /What you wrote is in (\S+)\.\n/.exec(refused.stderr) ?? [];
  expect(await readFile(kept, "utf8")).toContain('"rows_limit": 0');
  await rm(join(kept, ".."), { recursive: true });
  expect((await editWith("exit 3")).code).toBe(1);
  expect((await stored(id)).version).toBe(2);
});

test("edit puts a version that somebody else has stored meanwhile beside the file, and replaces it if asked to", async () => {
  const { id } = await world.putScraper(definition);
  const editor = join(dir, "slow-editor.sh");
  // Somebody else stores a version while the editor is open for the first time.
  const body = JSON.stringify({ ...definition, name: "Theirs" });
  const put = `curl -fsS -X PUT -H 'authorization: Bearer ${world.service.credentials.api_key}' -H 'content-type: application/json' -d '${body}' ${world.service.url}/v1/scrapers/${id} >/dev/null`;
  const script = `[ -f "$1.bak" ] || ${put}\nsed -i.bak 's/"rows_limit": 1000/"rows_limit": 9/' "$1"`;
  await writeFile(editor, `#!/bin/sh\n${script}\n`);
  await chmod(editor, 0o700);
  const args = ["scraper", "edit", id, "--data", world.data];
  const declined = await gleaner(args, { VISUAL: editor }, ["n"]);
  expect(declined).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("your file replaces version 2."),
  });
  const [, theirs = ""] = /version 2 is in (\S+\.stored\.json)\./.exec(declined.stderr) ?? [];
  expect(await readFile(theirs, "utf8")).toContain('"Theirs"');
  await rm(join(theirs, ".."), { recursive: true });
  expect(await stored(id)).toMatchObject({ name: "Theirs", version: 2 });

  const replaced = await gleaner(args, { VISUAL: editor }, ["y"]);
  expect(replaced).toMatchObject({ code: 0, stdout: expect.stringContaining("it is now version 4") });
  expect(await stored(id)).toMatchObject({ rows_limit: 9, version: 4 });
});

test("delete needs a yes", async () => {
  const { id } = await world.putScraper(definition);
  expect(await cli("scraper", "delete", id)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("--yes"),
  });
  const deleted = await cli("scraper", "delete", id, "--yes", "--json");
  expect(JSON.parse(deleted.stdout)).toEqual({ id, deleted: true });
  expect(await cli("scraper", "show", id)).toMatchObject({
    code: 4,
    stderr: expect.stringContaining("npx gleaner scraper list"),
  });
});

test("several are deleted after one question; one that is gone keeps no other", async () => {
  const [first, second] = [
    await world.putScraper({ ...definition, name: "First of two" }),
    await world.putScraper(definition),
  ];
  await cli("scraper", "delete", second.id, "--yes");
  const args = ["scraper", "delete", second.id, "first of two", "--data", world.data];
  // The question names each of them, so one that is gone is said before anything is deleted.
  expect((await gleaner(args, {}, ["y"])).code).toBe(4);
  expect((await stored(first.id)).name).toBe("First of two");
  const asked = await gleaner(["scraper", "delete", "FIRST OF TWO", "--data", world.data], {}, ["n"]);
  expect(asked.stderr).toContain(`Permanently delete the scraper "First of two" ${first.id} at http`);
  const deleted = await gleaner([...args, "--yes"]);
  expect(deleted).toMatchObject({ code: 4, stdout: `Deleted the scraper ${first.id}. Its runs stay.\n` });
});

test("wrong use exits with 2 and names what was meant", async () => {
  expect(await cli("scraper", "lst")).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("Did you mean list?"),
  });
  expect(await gleaner(["scraper", "show", "--jsn", "x"])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("Did you mean --json?"),
  });
  expect(await gleaner(["scraper", "list", "--data", "a", "--url", "http://b"])).toMatchObject({ code: 2 });
  expect(await cli("scraper", "diff", await fileWith(definition))).toMatchObject({ code: 2 });
});

test("a key that does not exist exits with 3", async () => {
  const said = await gleaner(["scraper", "list", "--url", world.service.url], { GLEANER_KEY: "glr_x" });
  expect(said).toMatchObject({ code: 3, stderr: expect.stringContaining("npx gleaner login") });
  expect(await gleaner(["scraper", "list", "--data", dir])).toMatchObject({ code: 5 });
});
