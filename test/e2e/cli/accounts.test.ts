import { afterAll, expect, test } from "@jest/globals";
import { startRun } from "../../../functions/runs/start-run.ts";
import { startWorld } from "../harness.ts";
import { gleaner } from "./gleaner.ts";

/* Accounts as an operator sees them. */

const world = await startWorld();
afterAll(() => world.stop());
const cli = (...args: string[]) => gleaner([...args, "--data", world.data]);
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
