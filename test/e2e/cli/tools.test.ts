import { chmod, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, expect, test } from "@jest/globals";
import type { RunWebhook } from "../../../functions/contract/runs/run-webhook.ts";
import type { AccountView } from "../../../functions/contract/service-routes.ts";
import { startRun } from "../../../functions/runs/start-run.ts";
import { installChromium } from "../../../functions/scraping/browser/install.ts";
import { cacheFolder } from "../../../local/data/cache-folder.ts";
import { newFolder } from "../../new-folder.ts";
import { sendHtml, startSite } from "../../site/site.ts";
import { CommandLine } from "../command-line.ts";
import { startWorld } from "../harness.ts";
import { gleaner } from "./gleaner.ts";

const world = await startWorld();
const root = await newFolder();
process.env.XDG_CONFIG_HOME = join(root, "config");
const processes = new CommandLine();
afterAll(async () => {
  await processes.close();
  await world.stop();
});

const cli = (...args: string[]) => gleaner([...args, "--data", world.data]);
const account = async () => (await world.call<AccountView>("/v1/account")).body;
const { api_key: key } = world.service.credentials;

test("login stores a key that works; other commands use it, and logout removes it", async () => {
  const login = (input: string, ...args: string[]) =>
    processes.gleanerWith(input, "login", "--url", `${world.service.url}/v1`, ...args).finished;
  expect(await login("glr_wrong\n")).toMatchObject({ code: 3, stdout: "" });
  expect((await gleaner(["whoami", "--profile", "work"])).code).toBe(3);

  const done = await login(`${key}\n`, "--profile", "work", "--json");
  expect(JSON.parse(done.stdout)).toEqual({ profile: "work", url: world.service.url, account: "default" });
  expect(done.stdout + done.stderr).not.toContain(key.slice(16));
  const who = JSON.parse((await gleaner(["whoami", "--profile", "work", "--json"])).stdout);
  expect(who).toEqual({ ...(await account()), url: world.service.url, from: 'profile "work"' });
  expect((await cli("whoami")).stdout).toContain('Account "default"');

  expect((await gleaner(["logout", "--profile", "work"])).code).toBe(0);
  expect((await gleaner(["logout", "--profile", "work"])).code).toBe(1);
  expect(await processes.gleanerWith(key, "login").finished).toMatchObject({ code: 2 });
});

test("doctor finds what is missing, and says what to do", async () => {
  const port = new URL(world.service.url).port;
  const check = async (): Promise<Record<string, { state: string; advice?: string; message: string }>> => {
    const { stdout } = await cli("doctor", "--port", port, "--json");
    return Object.fromEntries(
      JSON.parse(stdout).map(({ check: name, ...found }: { check: string }) => [name, found]),
    );
  };
  const found = await check();
  expect(Object.keys(found)).toEqual([
    "Node.js",
    "Browser",
    "Data folder",
    "Settings",
    "Disk",
    "Port",
    "Service and key",
    "AWS",
  ]);
  expect(found).toMatchObject({
    "Data folder": { state: "ok" },
    Port: { state: "ok", message: `the running service listens on ${port}` },
    "Service and key": { state: "ok" },
  });
  await chmod(world.data, 0o755);
  await writeFile(join(root, "config", "gleaner", "secrets.key"), "", { mode: 0o644 });
  expect(await check()).toMatchObject({
    "Data folder": { state: "problem", advice: `Run \`chmod 700 ${world.data}\`.` },
    Settings: { state: "problem", advice: expect.stringContaining("chmod 600") },
  });
  await chmod(world.data, 0o700);
  expect((await cli("doctor", "--port", port)).code).toBe(1);
}, 120_000);

test("a run's webhook and log are those of the API", async () => {
  const steps = [{ type: "visit", url: `${world.shopUrl}/books` }];
  const { id: scraper } = await world.putScraper({ name: "Log", steps });
  const { stdout } = await cli("run", "start", scraper, "--webhook", world.receiverUrl, "--json");
  const { id } = JSON.parse(stdout);
  const events = (await cli("run", "log", id, "--follow", "--json")).stdout.trim().split("\n");
  const { data } = (await world.call<{ data: object[] }>(`/v1/runs/${id}/log`)).body;
  expect(events.map((line) => JSON.parse(line))).toEqual(data);
  expect((await cli("run", "log", id)).stdout).toMatch(/ successful: /);
  expect((await cli("run", "log", id)).stdout).toMatch(/^\S+Z Step 1: visit$/m);

  const webhook = async () => (await world.call<RunWebhook>(`/v1/runs/${id}/webhook`)).body;
  while ((await webhook()).state === "pending") await new Promise((resolve) => setTimeout(resolve, 200));
  expect(JSON.parse((await cli("webhook", "attempts", id, "--json")).stdout)).toEqual(await webhook());
  expect((await cli("webhook", "attempts", id)).stdout).toContain("Outcome: delivered");
  expect((await cli("webhook", "resend", id)).code).toBe(0);
  const without = JSON.parse((await cli("run", "start", scraper, "--json")).stdout).id;
  expect(await cli("webhook", "resend", without)).toMatchObject({ code: 1 });
});

test("the answer to an attempt is shown whole, in several lines", async () => {
  const steps = [{ type: "visit", url: `${world.shopUrl}/books` }];
  const { id: scraper } = await world.putScraper({ name: "Refused", steps });
  const url = "http://8.8.8.8:9/hook";
  const { stdout } = await cli("run", "start", scraper, "--webhook", url, "--json");
  const { id } = JSON.parse(stdout);
  const answers = async () => (await world.call<RunWebhook>(`/v1/runs/${id}/webhook`)).body.attempts;
  while ((await answers()).length === 0) await new Promise((resolve) => setTimeout(resolve, 200));
  const shown = (await cli("webhook", "attempts", id)).stdout;
  const lines = [...shown.matchAll(/│ ([^│]+?) *│\n/g)].map(([, line]) => line);
  expect(lines.slice(1).join(" ")).toBe((await answers())[0]?.answer);
  expect(lines.length).toBeGreaterThan(2);
});

test("the screenshot of a failed run is written to a file", async () => {
  const steps = [
    { type: "visit", url: `${world.shopUrl}/books` },
    { type: "click", selector: "#none", timeout_ms: 500 },
  ];
  const { id: scraper } = await world.putScraper({ name: "Failing", steps });
  const failed = await cli("run", "start", scraper, "--watch");
  expect(failed.stdout).toMatch(/^Failed with 0 rows/);
  expect(failed.stderr).toContain("element_not_found at step 2 (click #none)");
  const id = /run show (\S+)/.exec(failed.stderr)?.[1] ?? "";
  const file = join(root, "page.jpg");
  const shown = await cli("run", "show", id, "--screenshot", file);
  expect(shown.stdout).toContain(`The screenshot is in ${file}`);
  const { size } = await import("node:fs").then(({ statSync }) => statSync(file));
  expect(size).toBeGreaterThan(1_000);
});

test("a session is signed in to in a browser, listed without its cookies, used by runs, and deleted", async () => {
  // The test before has left one that is no key.
  await rm(join(root, "config", "gleaner", "secrets.key"), { force: true });
  const site = await startSite();
  const installed = await installChromium(cacheFolder());
  const executable = typeof installed === "string" ? installed : installed.executablePath;
  const signIn = (url: string) => {
    const args = ["session", "sign-in", "shop", url, "--browser", executable, "--data", world.data];
    return processes.gleanerWith("\n", ...args).finished;
  };
  try {
    site.setRoute("/", (_, response) => {
      response.setHeader("set-cookie", "sid=c00kie; HttpOnly; Max-Age=3600");
      sendHtml(response, "Welcome");
    });
    expect(await signIn("shop.example")).toMatchObject({ code: 1 });
    const done = await signIn(site.url("/"));
    const stored = expect.stringContaining('Stored the session "shop" with the cookies of 127.0.0.1');
    expect(done).toMatchObject({ code: 0, stdout: stored });
    const listed = await cli("session", "list");
    expect(listed.stdout).toContain("127.0.0.1");
    expect(done.stdout + listed.stdout).not.toContain("c00kie");
    expect(await cli("session", "check", "shop")).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('No scraper uses the session "shop"'),
    });
    const visit = { type: "visit", url: `${world.shopUrl}/books` };
    for (const text of ["Books", "Sign out"])
      await world.putScraper({ name: text, session: { name: "shop", check: { text } }, steps: [visit] });
    const checked = await cli("session", "check", "shop");
    expect(checked.code).toBe(1);
    expect(checked.stdout).toContain(`Signed in: ${visit.url} has the text "Books".`);
    expect(checked.stdout).toContain(`Signed out: ${visit.url} does not have the text "Sign out".`);
    expect((await cli("session", "delete", "shop", "--yes")).code).toBe(0);
    expect(await cli("session", "check", "shop")).toMatchObject({ code: 4 });
    expect(await cli("session", "delete", "shop", "--yes")).toMatchObject({ code: 4 });
    expect((await cli("session", "list")).stdout).toContain("The account has no sessions yet.");
  } finally {
    await site.close();
  }
});

/* Accounts as an operator sees them. */

const json = async (...args: string[]) => JSON.parse((await cli(...args, "--json")).stdout);

test("accounts are listed and shown, with what they use", async () => {
  await cli("account", "create", "listed");
  await cli("account", "set", "listed", "--credits", "20", "--storage", "5");
  await cli("key", "create", "--account", "listed");
  const limits = { credit_limit: 20, rate_limit: null, storage_limit: 5_000_000 };
  const stored = { name: "listed", ...limits, created_at: expect.any(String) };
  expect(await json("account", "list")).toEqual(expect.arrayContaining([stored]));
  expect((await cli("account", "list")).stdout).toMatch(/│ listed +│ 20 +│ 50 +│ 5 +│/);
  expect(await json("account", "show", "listed")).toEqual({
    ...stored,
    credits_used: 0,
    stored_bytes: 0,
    running: 0,
    keys: 1,
  });
  expect((await cli("account", "show", "listed")).stdout).toContain("Credits this month: 0 (limit: 20)\n");
  expect(await cli("account", "show", "nobody")).toMatchObject({
    code: 1,
    stderr: 'There is no account "nobody".\n',
  });
});

test("a limit of none is stored as no limit, and requests pass", async () => {
  await cli("account", "create", "unlimited");
  const { key } = await json("key", "create", "--account", "unlimited");
  const whoami = () => gleaner(["whoami", "--url", world.service.url, "--json"], { GLEANER_KEY: key });
  const stored = () => json("account", "show", "unlimited");
  await cli("account", "set", "unlimited", "--credits", "0", "--rate", "1");
  expect(await stored()).toMatchObject({ credit_limit: 0, rate_limit: 1 });
  expect(await json("account", "set", "unlimited", "--credits", "none")).toMatchObject({
    credit_limit: null,
    rate_limit: 1,
  });
  expect(await stored()).toMatchObject({ credit_limit: null, rate_limit: 1 });
  const set = await cli("account", "set", "unlimited", "--rate", "none");
  expect(set.stdout).toBe(
    'The account "unlimited" may use any number of credits a month.\nEach of its keys may make 50 requests in 10 seconds.\nIts runs may store 10000 MB.\n',
  );
  expect(await stored()).toMatchObject({ credit_limit: null, rate_limit: null });
  expect(JSON.parse((await whoami()).stdout)).toMatchObject({
    credits: { limit: null },
    rate_limit: { requests: 50 },
  });
  const scraper = await world.putScraper(
    { name: "Free", steps: [{ type: "visit", url: world.shopUrl }] },
    "unlimited",
  );
  const run = ["run", "start", scraper.id, "--url", world.service.url];
  expect(await gleaner(run, { GLEANER_KEY: key })).toMatchObject({ code: 0 });
});

test("a deletion asks first, and then nothing of the account is left", async () => {
  await cli("account", "create", "gone");
  const { key } = await json("key", "create", "--account", "gone");
  const whoami = () => gleaner(["whoami", "--url", world.service.url], { GLEANER_KEY: key });
  expect((await whoami()).code).toBe(0);
  expect(await cli("account", "delete", "gone")).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("Add --yes"),
  });
  const refused = await gleaner(["account", "delete", "gone", "--data", world.data], {}, ["n"]);
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining("Nothing was changed.") });
  expect((await whoami()).code).toBe(0);
  expect(await json("account", "delete", "gone", "--yes")).toEqual({ name: "gone" });
  expect((await whoami()).code).toBe(3);
  expect((await cli("account", "delete", "gone", "--yes")).stderr).toBe('There is no account "gone".\n');
});

test("runs in progress prevent a deletion", async () => {
  await cli("account", "create", "busy");
  const scraper = await world.putScraper(
    { name: "Busy", steps: [{ type: "visit", url: world.shopUrl }] },
    "busy",
  );
  await world.withTable(async (table) => {
    // Nobody takes it from a queue.
    const queues = { sendRun: async () => {}, sendWebhook: async () => {}, sendBatch: async () => {} };
    const deps = { table, queues, now: () => new Date(), log: { info() {}, error() {} } };
    await startRun(deps, { account: "busy", source: "api", request: { scraper_id: scraper.id } });
  });
  expect(await cli("account", "delete", "busy", "--yes")).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^The account "busy" has 1 run in progress\. Nothing was deleted\./),
  });
});

test("the account that the local service uses itself stays", async () => {
  expect(await cli("account", "delete", "default", "--yes")).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('needs the account "default"'),
  });
  expect((await world.call("/v1/account")).status).toBe(200);
});

test("a secret of webhooks is rotated at once, and once more only after a question", async () => {
  await cli("account", "create", "rotated");
  const webhook = (...args: string[]) => cli("webhook", ...args, "--account", "rotated");
  const [first] = (await webhook("secret")).stdout.split("\n");
  const second = /whsec_\S+/.exec((await webhook("rotate")).stdout)?.[0];
  expect(await webhook("secret")).toMatchObject({
    stdout: `${second}\n${first}\n`,
    stderr: "The first one is the new one. The other one stays valid until the next rotation.\n",
  });
  expect(await webhook("rotate")).toMatchObject({ code: 2, stderr: expect.stringContaining("Add --yes") });
  expect((await webhook("secret")).stdout).toBe(`${second}\n${first}\n`);
  expect((await webhook("rotate", "--yes")).code).toBe(0);
  const [third, ...others] = (await webhook("secret")).stdout.split("\n");
  expect(third).toMatch(/^whsec_\S+$/);
  expect([first, second]).not.toContain(third);
  expect(others).toEqual([second, ""]);
});
