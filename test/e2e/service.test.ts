import { once } from "node:events";
import { chmod, readFile, stat, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, expect, test } from "@jest/globals";
import type { Run } from "../../functions/contract/runs/run.ts";
import { newFolder } from "../new-folder.ts";
import { descendants, identityOf, stillThere } from "./chaos/victims.ts";
import { CommandLine, type Gleaner } from "./command-line.ts";

/* The service and the command line as processes of their own, as a person starts them. */

let data: string;
const commands = new CommandLine();
let site: Server;
let siteUrl: string;
/** Answers of the site that are held back. */
let held: (() => void)[] = [];

beforeEach(async () => {
  data = await newFolder();
  held = [];
  // Pages 1 to 4, each linked to the next; the third is answered when the test says so.
  site = createServer((request, response) => {
    const page = Number(new URL(request.url ?? "", "http://x").searchParams.get("page") ?? 1);
    const next = page < 4 ? `<a class="next" href="/?page=${page + 1}">Next</a>` : "";
    const answer = () =>
      response
        .writeHead(200, { "content-type": "text/html" })
        .end(`<ul><li>item ${page}a</li><li>item ${page}b</li></ul>${next}`);
    if (page === 3) held.push(answer);
    else answer();
  }).listen(0, "127.0.0.1");
  await once(site, "listening");
  siteUrl = `http://127.0.0.1:${(site.address() as AddressInfo).port}/`;
});

afterEach(async () => {
  await commands.close();
  site.close();
  site.closeAllConnections();
});

const gleaner = (...args: string[]) => commands.gleaner(...args);

const start = (...args: string[]) =>
  commands.start("--data", data, "--allow-host", new URL(siteUrl).host, ...args);

async function storeScraper(): Promise<string> {
  const file = join(data, "scraper.json");
  const steps = [
    { type: "visit", url: siteUrl },
    { type: "get_list", selector: "li", fields: [{ name: "text" }] },
  ];
  const pagination = { type: "next_button", selector: "a.next" };
  await writeFile(file, JSON.stringify({ name: "Four pages", steps, pagination }));
  const { stdout } = await gleaner("scraper", "put", file, "--data", data, "--json").finished;
  return JSON.parse(stdout).id;
}

async function call<T>(url: string, init: RequestInit = {}): Promise<T> {
  const { api_key } = JSON.parse(await readFile(join(data, "credentials.json"), "utf8"));
  const response = await fetch(url, {
    ...init,
    headers: { ...init.headers, authorization: `Bearer ${api_key}` },
  });
  return (await response.json()) as T;
}

const createRun = (url: string, scraperId: string) =>
  call<Run>(`${url}/v1/runs`, { method: "POST", body: new URLSearchParams({ scraper_id: scraperId }) });

async function finishedRun(url: string, id: string): Promise<Run> {
  for (;;) {
    const run = await call<Run>(`${url}/v1/runs/${id}`);
    if (run.status !== "running") return run;
    await sleep(300);
  }
}

/** Waits for the browser to ask for the third page. */
async function untilHeld(): Promise<void> {
  while (held.length === 0) await sleep(20);
}

/** Answers what is held back, now and from now on. */
function release(): void {
  for (const answer of held.splice(0)) answer();
  held.push = (...answers) => {
    for (const answer of answers) answer();
    return 0;
  };
}

test("the first start makes an account and a key that only the owner can read; later ones keep them", async () => {
  const first = await start();
  const path = join(data, "credentials.json");
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  const credentials = await readFile(path, "utf8");
  const { api_key } = JSON.parse(credentials);
  expect(first.child.output.stdout).toContain(`\n  ${api_key}\n`);
  expect(first.child.output.stdout).toContain(`Open the console, signed in: ${first.url}/#key=${api_key}\n`);
  const scraperId = await storeScraper();
  first.child.kill("SIGTERM");
  expect((await first.child.finished).code).toBe(0);

  const second = await start();
  expect(await readFile(path, "utf8")).toBe(credentials);
  expect(second.child.output.stdout).not.toContain("glr_");
  expect(second.child.output.stdout).toContain(`The console is at ${second.url}\n`);
  expect(await call(`${second.url}/v1/scrapers/${scraperId}`)).toMatchObject({ id: scraperId });
});

test("a second start on the same folder or a taken port says so and exits with 1", async () => {
  const { url } = await start();
  const sameFolder = await gleaner("start", "--example", "--port", "0", "--data", data).finished;
  expect(sameFolder).toMatchObject({
    code: 1,
    stderr: expect.stringContaining(`in use by the service at ${url}`),
  });

  const other = await newFolder();
  const port = new URL(url).port;
  const samePort = await gleaner("start", "--example", "--port", port, "--data", other).finished;
  expect(samePort).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/Port \d+ is in use by another program/),
  });
});

test.each(["SIGINT", "SIGTERM"] as const)(
  "%s in the middle of a run stops everything; the next start finishes it",
  async (signal) => {
    const first = await start();
    const run = await createRun(first.url, await storeScraper());
    await untilHeld();
    const browsers = new Set((await descendants([first.child.pid ?? 0])).map(identityOf));
    expect(browsers.size).toBeGreaterThan(0);
    first.child.kill(signal);
    expect((await first.child.finished).code).toBe(0);
    // A process that was killed is gone a moment later.
    while ((await stillThere(browsers)).length > 0) await sleep(100);
    release();

    const second = await start();
    expect(await finishedRun(second.url, run.id)).toMatchObject({
      status: "successful",
      result_rows: [1, 2, 3, 4].flatMap((page) => [{ text: `item ${page}a` }, { text: `item ${page}b` }]),
    });
  },
);

/** The metrics of a service that was started with --metrics-port. */
async function metricsOf({ child }: { child: Gleaner }): Promise<string> {
  const [, url = ""] = /The metrics are at (\S+)/.exec(child.output.stdout) ?? [];
  return (await fetch(url)).text();
}

test("a run that was running when the process was killed is finished after the next start; metrics show it", async () => {
  const first = await start("--metrics-port", "0");
  const run = await createRun(first.url, await storeScraper());
  await untilHeld();
  const during = await metricsOf(first);
  expect(during).toContain('\ngleaner_runs_started_total{source="api"} 1\n');
  expect(during).toContain('\ngleaner_queue_messages{queue="runs",state="running"} 1\n');
  expect(during).toMatch(/\ngleaner_browsers [1-9]\n/);
  first.child.kill("SIGKILL");
  await first.child.finished;
  release();

  const second = await start("--metrics-port", "0");
  expect(await finishedRun(second.url, run.id)).toMatchObject({
    status: "successful",
    result_rows: expect.arrayContaining([{ text: "item 1a" }, { text: "item 4b" }]),
  });
  while (!(await metricsOf(second)).includes('_total{status="successful",code=""} 1\n')) await sleep(20);
  expect(await metricsOf(second)).toContain("\ngleaner_rows_total 8\n");
});

test("the command line manages accounts, keys and scrapers of the running service", async () => {
  const { url } = await start();
  const line = (...args: string[]) => gleaner(...args, "--data", data).finished;

  expect((await line("account", "create", "acme")).stdout).toContain('account "acme"');
  expect(await line("account", "create", "acme")).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("already"),
  });
  expect(await line("account", "create", "No Good")).toMatchObject({ code: 1 });

  expect((await line("key", "list", "--account", "acme")).stdout).toContain("no keys yet");
  const made = JSON.parse(
    (await line("key", "create", "--account", "acme", "--label", "CI robot", "--json")).stdout,
  );
  expect(made).toMatchObject({ account: "acme", label: "CI robot" });
  const asAcme = (path: string) => fetch(url + path, { headers: { authorization: `Bearer ${made.key}` } });
  expect((await asAcme("/v1/scrapers")).status).toBe(200);
  expect(await line("key", "create", "--account", "nobody")).toMatchObject({ code: 1 });

  const file = join(data, "one.json");
  const definition = { name: "One", steps: [{ type: "visit", url: "https://example.org/" }] };
  await writeFile(file, JSON.stringify(definition));
  const acmeLine = (...args: string[]) => commands.gleanerAs(made.key, ...args, "--data", data).finished;
  const stored = JSON.parse((await acmeLine("scraper", "put", file, "--json")).stdout);
  expect(await (await asAcme(`/v1/scrapers/${stored.id}`)).json()).toEqual(stored);
  await writeFile(file, JSON.stringify({ ...definition, id: stored.id, name: "Two" }));
  await acmeLine("scraper", "put", file);
  const listed = JSON.parse((await acmeLine("scraper", "list", "--json")).stdout);
  expect(listed).toEqual([{ ...stored, name: "Two", version: 2, updated_at: expect.any(String) }]);
  expect((await line("scraper", "list")).stderr).toContain("no scrapers yet");

  await writeFile(file, JSON.stringify({ name: "", steps: [{ type: "click" }], colour: "red" }));
  const refused = await line("scraper", "put", file);
  expect(refused.code).toBe(1);
  for (const path of ["name", "steps[0]", "colour"]) expect(refused.stderr).toContain(path);
  await writeFile(file, "{");
  expect((await line("scraper", "put", file)).stderr).toContain("not valid JSON");
  expect((await line("scraper", "put", join(data, "none.json"))).stderr).toContain("no file");
  await writeFile(file, JSON.stringify({ ...definition, id: stored.id }));
  expect(await line("scraper", "put", file)).toMatchObject({
    code: 4,
    stderr: expect.stringContaining("no scraper with this id"),
  });

  const keys = async () => JSON.parse((await line("key", "list", "--account", "acme", "--json")).stdout);
  const { key, ...told } = made;
  expect(await keys()).toEqual([{ ...told, last_used_at: expect.any(String) }]);
  expect((await line("key", "revoke", made.id)).code).toBe(0);
  expect((await asAcme("/v1/scrapers")).status).toBe(401);
  expect(await keys()).toEqual([
    { ...told, last_used_at: expect.any(String), revoked_at: expect.any(String) },
  ]);
  const shown = (await line("key", "list", "--account", "acme")).stdout;
  for (const column of [made.id, "CI robot", "last used", "revoked"]) expect(shown).toContain(column);
  expect(shown).not.toContain(key.slice(16));
  expect((await line("key", "list", "--account", "nobody")).code).toBe(1);
  expect((await line("key", "create", "--account", "acme", "--label", "two\nlines")).code).toBe(1);
  for (const [expires, problem] of [
    ["tomorrow", "not a date"],
    ["2027-02-30", "not a date"],
    ["2020-01-01", "in the past"],
  ] as const)
    expect(await line("key", "create", "--account", "acme", "--expires", expires)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(problem),
    });
  expect((await line("key", "revoke", "nokey")).code).toBe(1);
});

test("a list of proxies that others may read is warned of, and one that can't be used stops the start", async () => {
  const file = join(data, "proxies.json");
  const proxy = { type: "residential", country: "Peru", url: "http://user:hunter2@pe.example.net:8000" };
  await writeFile(file, JSON.stringify([proxy]), { mode: 0o644 });
  const { child } = await start("--proxies", file);
  child.kill("SIGTERM");
  const { stdout, stderr } = await child.finished;
  expect(stderr).toContain(`the proxies in ${file}. Run \`chmod 600 ${file}\``);

  await chmod(file, 0o600);
  await writeFile(
    file,
    JSON.stringify([{ ...proxy, type: "rented", url: "socks5://user:hunter2@pe.example.net" }]),
  );
  const refused = await gleaner("start", "--port", "0", "--data", data, "--proxies", file).finished;
  expect(refused.code).toBe(1);
  expect(refused.stderr).not.toContain("Warning");
  for (const place of [file, "[0].type", "[0].url"]) expect(refused.stderr).toContain(place);
  const missing = await gleaner("start", "--data", data, "--proxies", join(data, "none.json")).finished;
  expect(missing).toMatchObject({ code: 1, stderr: expect.stringContaining("ENOENT") });
  expect(stdout + stderr + refused.stdout + refused.stderr).not.toMatch(/hunter2|example\.net/);
});

test("without a service the command line says how to start one", async () => {
  expect(await gleaner("scraper", "list", "--data", data).finished).toMatchObject({
    code: 5,
    stderr: expect.stringContaining("npx gleaner start"),
  });
});
