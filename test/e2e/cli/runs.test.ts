import { readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, expect, jest, test } from "@jest/globals";
import type { RunFile } from "../../../functions/contract/runs/file.ts";
import type { Run } from "../../../functions/contract/runs/run.ts";
import { show } from "../../../local/commands/run/manage.ts";
import { showAttempts } from "../../../local/commands/webhook.ts";
import { newFolder } from "../../new-folder.ts";
import { sendHtml, startSite } from "../../site/site.ts";
import { CommandLine } from "../command-line.ts";
import { startWorld } from "../harness.ts";
import { gleaner } from "./gleaner.ts";

const site = await startSite();
const world = await startWorld({ allowHosts: [site.host] });
const dir = await newFolder();
const processes = new CommandLine();
afterAll(async () => {
  await processes.close();
  await world.stop();
  await site.close();
});

const cli = (...args: string[]) => gleaner([...args, "--data", world.data]);
const inProcess = (...args: string[]) => processes.gleaner(...args, "--data", world.data);
const runOf = async (id: string) => (await world.call<Run>(`/v1/runs/${id}?rows=false`)).body;
const idIn = (text: string) => /[0-9a-f]{8}-[0-9a-f-]{27}/.exec(text)?.[0] ?? "";

site.setRoute("/list", (_, response) => sendHtml(response, "<ul><li>Äpfel, rot</li><li>Birnen</li></ul>"));
const list = { type: "get_list", selector: "li", fields: [{ name: "text" }], timeout_ms: 1_000 };
const steps = [{ id: "open", type: "visit", url: site.url("/list") }, list];
const scraper = await world.putScraper({ name: "Fruit", steps });

test("from a scraper to a file: start, watch and rows", async () => {
  const output = join(dir, "rows.csv");
  const said = await cli("run", "start", scraper.id, "-o", output);
  expect(said).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^Successful: 2 rows for 1 credit in /),
  });
  expect(said.stdout).toContain(`Wrote ${output}: csv, 2 rows`);
  expect(await readFile(output, "utf8")).toBe('\uFEFFtext\r\n"Äpfel, rot"\r\nBirnen\r\n');
  expect((await readdir(dir)).filter((name) => name.includes(".part"))).toEqual([]);

  const id = idIn(said.stderr);
  const rows = async (...args: string[]) => (await inProcess("run", "rows", id, ...args).finished).stdout;
  expect(await rows()).toBe('text\r\n"Äpfel, rot"\r\nBirnen\r\n');
  expect(await rows("--json", "--offset", "1")).toBe('{"text":"Birnen"}\n');
  const file = join(dir, "rows.xlsx");
  expect(JSON.parse((await cli("run", "rows", id, "-o", file, "--limit", "1", "--json")).stdout)).toEqual({
    id,
    file,
    format: "xlsx",
    status: "successful",
    row_count: 1,
  });
  expect((await readFile(file)).subarray(0, 2).toString()).toBe("PK");
  for (const command of [
    ["run", "rows", id],
    ["run", "start", scraper.id],
    ["batch", "watch", id],
  ])
    expect(await cli(...command, "-o", join(dir, "rows.pdf"))).toMatchObject({
      code: 2,
      stderr: `The format of ${join(dir, "rows.pdf")} is not clear. End its name with .csv, .jsonl, .json or .xlsx.\n`,
    });
  const nowhere = join(dir, "none", "rows.csv");
  const refused = {
    code: 2,
    stdout: "",
    stderr: expect.stringContaining(`There is no folder ${join(dir, "none")}`),
  };
  expect(await cli("run", "rows", id, "-o", nowhere)).toMatchObject(refused);
  expect(await cli("run", "start", scraper.id, "-o", nowhere)).toMatchObject(refused);
  expect(await cli("run", "show", id, "--screenshot", nowhere)).toMatchObject(refused);
  expect(await cli("run", "rows", id, "--fields", "colour")).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("its fields are text"),
  });
});

test("a value for one run is set by the step's id", async () => {
  const said = await cli(
    "run",
    "start",
    scraper.id,
    "--set",
    `open=${site.url("/list?a=b")}`,
    "--limit",
    "1",
    "--json",
  );
  const run: Run = JSON.parse(said.stdout);
  expect(run).toMatchObject({ steps: [{ url: site.url("/list?a=b") }, {}], rows_limit: 1 });
  for (const set of ["opn=x", "open", "step-2=x"]) {
    const refused = await cli("run", "start", scraper.id, "--set", set);
    expect(refused).toMatchObject({ code: 2 });
  }
  expect((await cli("run", "start", scraper.id, "--set", "opn=x")).stderr).toContain("These can: open.");
  const last = (await cli("run", "watch", run.id, "--json")).stdout.trim().split("\n").at(-1) ?? "";
  expect(JSON.parse(last)).toEqual(await runOf(run.id));
  expect(JSON.parse((await cli("run", "show", run.id, "--json")).stdout)).toEqual(await runOf(run.id));
});

test("a run that fails makes watch exit with 1, and leaves the file of an earlier run alone", async () => {
  const empty = await world.putScraper({
    name: "Empty",
    steps: [{ type: "visit", url: site.url("/none") }, list],
  });
  const output = join(dir, "earlier.jsonl");
  await cli("run", "start", scraper.id, "-o", output);
  const before = await readFile(output, "utf8");
  const said = await cli("run", "start", empty.id, "-o", output);
  expect(said).toMatchObject({ code: 1, stdout: expect.stringMatching(/^Failed with 0 rows/) });
  expect(said.stderr).toContain("was not written");
  expect(said.stderr).toMatch(/Next: npx gleaner run show [0-9a-f-]{36} --screenshot page\.jpg/);
  expect(await readFile(output, "utf8")).toBe(before);
});

test("Ctrl-C leaves the run going and says so; stop ends it with its rows", async () => {
  const { promise: asked, resolve: onAsked } = Promise.withResolvers<void>();
  site.setRoute("/slow", () => onAsked());
  const slow = await world.putScraper({
    name: "Slow",
    steps: [...steps, { type: "visit", url: site.url("/slow") }],
  });
  const watching = inProcess("run", "start", slow.id, "--watch");
  await new Promise<void>((resolve) => {
    const isRunning = () => /running its 3 steps|step \d of 3/.test(watching.output.stderr);
    watching.stderr?.on("data", () => isRunning() && resolve());
  });
  await asked;
  watching.kill("SIGINT");
  const { code, stderr } = await watching.finished;
  expect({ code, stderr }).toEqual({ code: 130, stderr: expect.stringContaining("The run continues.") });
  const id = idIn(stderr);
  expect((await runOf(id)).status).toBe("running");
  expect(await cli("run", "delete", id, "--yes")).toMatchObject({
    code: 1,
    stderr: expect.stringContaining(`npx gleaner run stop ${id}`),
  });

  expect((await cli("run", "stop", id)).stdout).toContain("It keeps its rows.");
  const ended = await cli("run", "watch", id);
  expect(ended).toMatchObject({ code: 1, stdout: expect.stringMatching(/^Stopped with 2 rows/) });
  expect(JSON.parse((await cli("run", "stop", id, "--json")).stdout)).toEqual(await runOf(id));
  const other = (await world.post("/v1/runs", { scraper_id: scraper.id })).body.id;
  await world.finished(other);
  const both = await cli("run", "delete", "latest", id, id, "--yes");
  expect(both).toMatchObject({ code: 0, stdout: `Deleted the run ${other}.\nDeleted the run ${id}.\n` });
  expect((await cli("run", "show", id)).code).toBe(4);
});

test("list shows the runs that were asked for", async () => {
  const listed = async (...args: string[]): Promise<Run[]> =>
    JSON.parse((await cli("run", "list", "--json", ...args)).stdout);
  const { data } = (await world.call<{ data: Run[] }>("/v1/runs?rows=false")).body;
  expect(await listed()).toEqual(data);
  expect(await listed("--limit", "1")).toEqual(data.slice(0, 1));
  expect(await listed("--status", "failed")).toEqual(data.filter(({ status }) => status === "failed"));
  expect((await listed("--scraper", scraper.id)).length).toBeGreaterThan(1);
  expect(await listed("--scraper", "Fruit")).toEqual(await listed("--scraper", scraper.id));
  const table = (await cli("run", "list")).stdout;
  expect(table).toContain("Failed: http_error");
  expect(table).toContain("│ Fruit ");
  expect(await cli("run", "list", "--status", "done")).toMatchObject({ code: 2 });
});

test("nothing that a page or a receiver says reaches the terminal as a command", async () => {
  const commands = "\u001b]0;owned\u0007\u009b2J\u202e\rend";
  site.setRoute("/title", (_, response) => sendHtml(response, `<title>${commands}</title><p>None.`));
  site.setRoute("/answer", (_, response) => void response.end(commands));
  const none = { type: "get_list", selector: `text=${commands}`, fields: [{ name: "text" }] };
  const definition = { name: "Escapes", steps: [{ type: "visit", url: site.url("/title") }, none] };
  const { id: scraper_id } = await world.putScraper(definition);
  const { id } = (await world.post("/v1/runs", { scraper_id, webhook_url: site.url("/answer") })).body;
  await world.finished(id);
  const of = { data: world.data };
  const printed: string[] = [];
  const log = jest.spyOn(console, "log").mockImplementation((text) => void printed.push(text));
  try {
    while (!printed.join().includes("200")) {
      printed.length = 0;
      await showAttempts(id, of);
    }
    await showAttempts(id, { ...of, json: true });
    await show(id, of);
    await show(id, { ...of, json: true });
  } finally {
    log.mockRestore();
  }
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not be printed.
  expect(printed.join("")).not.toMatch(/[\0-\x08\x0b-\x1f\x7f-\x9f\u202e]/);
  const [table, attempts = "", ...shown] = printed;
  expect(table).toContain("\\u001b]0;owned");
  expect(JSON.parse(attempts).attempts[0].answer).toBe(commands);
  expect(shown.join()).toContain("\\u001b]0;owned");
  expect(JSON.parse(shown.at(-1) ?? "").error.message).toContain(commands);
});

test("a run downloads the files of its rows, and the command line saves them", async () => {
  const manuals = ["lamp", "desk"].map((name) => ({ name, content: `%PDF-1.7 ${name}` }));
  for (const { name, content } of manuals)
    site.setRoute(`/${name}.pdf`, (_, response) => void response.end(content));
  const links = ["lamp", "desk", "gone", "lamp"].map((name) => `<li><a href="/${name}.pdf">${name}</a></li>`);
  site.setRoute("/manuals", `<ul>${links.join("")}</ul>`);
  const { id: scraper } = await world.putScraper({
    name: "Manuals",
    steps: [
      { type: "visit", url: site.url("/manuals") },
      {
        type: "get_list",
        selector: "li",
        fields: [{ name: "name" }, { name: "pdf", selector: "a", attribute: "href" }],
        files: { field: "pdf" },
      },
    ],
  });
  const { body: created } = await world.post<Run>("/v1/runs", { scraper_id: scraper });
  const run = await world.finished(created.id);
  const { files, warnings, status } = (await world.call<Run>(`/v1/runs/${run.id}`)).body;
  const bytes = manuals.reduce((sum, { content }) => sum + content.length, 0);
  expect({ files, status }).toEqual({ files: { count: 3, failed: 1, bytes }, status: "successful" });
  expect(warnings).toMatchObject([{ code: "files_missing", field: "pdf", count: 1 }]);

  const listed = JSON.parse((await cli("run", "files", run.id, "--json")).stdout) as RunFile[];
  expect(listed.map(({ name, url, row, error }) => [name, url, row, error === null])).toEqual([
    ["00001-lamp.pdf", site.url("/lamp.pdf"), 0, true],
    ["00002-desk.pdf", site.url("/desk.pdf"), 1, true],
    ["00003-gone.pdf", site.url("/gone.pdf"), 2, false],
  ]);
  const folder = join(dir, "manuals");
  // What is there and whole stays; what was cut short is replaced.
  expect(await cli("run", "files", run.id, "-o", folder)).toMatchObject({
    code: 0,
    stdout: expect.stringContaining("2 files"),
    stderr: expect.stringContaining("could not download 1 file"),
  });
  const kept = await stat(join(folder, "00001-lamp.pdf"));
  await writeFile(join(folder, "00002-desk.pdf"), "%PDF");
  expect((await cli("run", "files", run.id, "-o", folder)).code).toBe(0);
  expect((await stat(join(folder, "00001-lamp.pdf"))).ino).toBe(kept.ino);
  expect((await readdir(folder)).sort()).toEqual(["00001-lamp.pdf", "00002-desk.pdf"]);
  expect(await readFile(join(folder, "00002-desk.pdf"), "utf8")).toBe("%PDF-1.7 desk");

  const archive = join(dir, "manuals.zip");
  expect((await cli("run", "files", run.id, "-o", archive)).code).toBe(0);
  const zip = await readFile(archive, "latin1");
  for (const text of ["files.csv", "00001-lamp.pdf", ...manuals.map(({ content }) => content)])
    expect(zip).toContain(text);
  expect(await cli("run", "files", run.id, "-o", join(folder, "00001-lamp.pdf"))).toMatchObject({ code: 2 });

  expect((await cli("run", "delete", run.id, "--yes")).code).toBe(0);
  expect(await readdir(join(world.data, "files", "default"))).toEqual([]);
}, 120_000);
