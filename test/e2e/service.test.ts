import { once } from "node:events";
import { chmod, readFile, stat, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "@jest/globals";
import type { Run } from "../../functions/contract/runs/run.ts";
import { newFolder } from "../new-folder.ts";
import { descendants, identityOf, stillThere } from "./chaos/victims.ts";
import { gleaner } from "./cli/gleaner.ts";
import { CommandLine, type Gleaner } from "./command-line.ts";

/* The service and the command line as processes of their own, as a person starts them. */

let data: string;
const commands = new CommandLine();
let site: Server;
let siteUrl: string;
/** Answers of the site that are held back; undefined: none are. */
let held: (() => void)[] | undefined;

beforeAll(async () => {
  // Pages 1 to 4, each linked to the next; the third is answered when the test says so.
  site = createServer((request, response) => {
    const page = Number(new URL(request.url ?? "", "http://x").searchParams.get("page") ?? 1);
    const next = page < 4 ? `<a class="next" href="/?page=${page + 1}">Next</a>` : "";
    const answer = () =>
      response
        .writeHead(200, { "content-type": "text/html" })
        .end(`<ul><li>item ${page}a</li><li>item ${page}b</li></ul>${next}`);
    if (page === 3 && held) held.push(answer);
    else answer();
  }).listen(0, "127.0.0.1");
  await once(site, "listening");
  siteUrl = `http://127.0.0.1:${(site.address() as AddressInfo).port}/`;
});
beforeEach(async () => {
  data = await newFolder();
});
afterEach(() => commands.close());
afterAll(() => {
  site.close();
  site.closeAllConnections();
});

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
  const { stdout } = await gleaner(["scraper", "put", file, "--data", data, "--json"]);
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
  while (held?.length === 0) await sleep(20);
}

/** Answers what is held back, now and from now on. */
function release(): void {
  for (const answer of held ?? []) answer();
  held = undefined;
}

/** The metrics of a service that was started with --metrics-port. */
async function metricsOf({ child }: { child: Gleaner }): Promise<string> {
  const [, url = ""] = /The metrics are at (\S+)/.exec(child.output.stdout) ?? [];
  return (await fetch(url)).text();
}

test("the first start makes an account and a key that only the owner can read; later ones keep them, and finish interrupted runs", async () => {
  let service = await start("--metrics-port", "0");
  const path = join(data, "credentials.json");
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  const credentials = await readFile(path, "utf8");
  const { api_key } = JSON.parse(credentials);
  expect(service.child.output.stdout).toContain(`\n  ${api_key}\n`);
  expect(service.child.output.stdout).toContain(
    `Open the console, signed in: ${service.url}/#key=${api_key}\n`,
  );
  const scraperId = await storeScraper();

  for (const signal of ["SIGINT", "SIGTERM", "SIGKILL"] as const) {
    held = [];
    const run = await createRun(service.url, scraperId);
    await untilHeld();
    const during = await metricsOf(service);
    expect(during).toContain('\ngleaner_runs_started_total{source="api"} 1\n');
    expect(during).toContain('\ngleaner_queue_messages{queue="runs",state="running"} 1\n');
    expect(during).toMatch(/\ngleaner_browsers [1-9]\n/);
    const browsers = new Set((await descendants([service.child.pid ?? 0])).map(identityOf));
    expect(browsers.size).toBeGreaterThan(0);
    service.child.kill(signal);
    const { code } = await service.child.finished;
    expect({ signal, code }).toEqual({ signal, code: signal === "SIGKILL" ? null : 0 });
    // A process that was killed is gone a moment later.
    while (signal !== "SIGKILL" && (await stillThere(browsers)).length > 0) await sleep(100);
    release();

    service = await start("--metrics-port", "0");
    expect({ signal, run: await finishedRun(service.url, run.id) }).toMatchObject({
      signal,
      run: {
        status: "successful",
        result_rows: [1, 2, 3, 4].flatMap((page) => [{ text: `item ${page}a` }, { text: `item ${page}b` }]),
      },
    });
    while (!(await metricsOf(service)).includes('_total{status="successful",code=""} 1\n')) await sleep(20);
    expect(await metricsOf(service)).toContain("\ngleaner_rows_total 8\n");
    expect(await readFile(path, "utf8")).toBe(credentials);
    expect(service.child.output.stdout).not.toContain("glr_");
    expect(service.child.output.stdout).toContain(`The console is at ${service.url}\n`);
  }
});

test("the command line manages accounts, keys and scrapers of the running service", async () => {
  const { url } = await start();
  const line = (...args: string[]) => gleaner([...args, "--data", data]);

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
  const acmeLine = (...args: string[]) => gleaner([...args, "--data", data], { GLEANER_KEY: made.key });
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

test("a start on the folder or the port of another one, or with proxies that can't be used, is refused; a list of proxies that others may read is warned of", async () => {
  const file = join(data, "proxies.json");
  const proxy = { type: "residential", country: "Peru", url: "http://user:hunter2@pe.example.net:8000" };
  await writeFile(file, JSON.stringify([proxy]), { mode: 0o644 });
  const { child, url } = await start("--proxies", file);
  const other = await newFolder();
  const refusal = (...args: string[]) => commands.gleaner("start", ...args).finished;
  expect(await refusal("--example", "--port", "0", "--data", data)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining(`in use by the service at ${url}`),
  });
  expect(await refusal("--example", "--port", new URL(url).port, "--data", other)).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/Port \d+ is in use by another program/),
  });
  child.kill("SIGTERM");
  const { stdout, stderr } = await child.finished;
  expect(stderr).toContain(`the proxies in ${file}. Run \`chmod 600 ${file}\``);

  await chmod(file, 0o600);
  await writeFile(
    file,
    JSON.stringify([{ ...proxy, type: "rented", url: "socks5://user:hunter2@pe.example.net" }]),
  );
  const refused = await refusal("--port", "0", "--data", data, "--proxies", file);
  expect(refused.code).toBe(1);
  expect(refused.stderr).not.toContain("Warning");
  for (const place of [file, "[0].type", "[0].url"]) expect(refused.stderr).toContain(place);
  expect(await refusal("--data", data, "--proxies", join(data, "none.json"))).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("ENOENT"),
  });
  expect(stdout + stderr + refused.stdout + refused.stderr).not.toMatch(/hunter2|example\.net/);
});

test("without a service the command line says how to start one", async () => {
  expect(await commands.gleaner("scraper", "list", "--data", data).finished).toMatchObject({
    code: 5,
    stderr: expect.stringContaining("npx gleaner start"),
  });
});
