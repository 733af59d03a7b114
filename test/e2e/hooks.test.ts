import { once } from "node:events";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, expect, test } from "@jest/globals";
import { SMTPServer } from "smtp-server";
import { Webhook } from "standardwebhooks";
import type { Alert, Hook, HookWithAlerts } from "../../functions/contract/hooks/hook.ts";
import { webhookSecrets } from "../../functions/store/webhooks.ts";
import { acceptDiscord, acceptNtfy, acceptSlack, acceptTeams } from "../functions/hooks/receivers.ts";
import { gleaner } from "./cli/gleaner.ts";
import { startWorld } from "./harness.ts";

/* Hooks over the API, with the whole service and a receiver on loopback. */

const receiver = createServer(async (request, response) => {
  const pieces = await Array.fromAsync(request as AsyncIterable<Buffer>);
  const body = Buffer.concat(pieces).toString();
  got.push({ path: request.url ?? "", headers: request.headers, body });
  response.statusCode = request.url?.startsWith("/gone") ? 410 : 200;
  response.end(request.url?.startsWith("/gone") ? "no_service" : "ok");
});
const got: { path: string; headers: IncomingHttpHeaders; body: string }[] = [];
await once(receiver.listen(0, "127.0.0.1"), "listening");
const host = `127.0.0.1:${(receiver.address() as AddressInfo).port}`;
/** What the mail server got. */
const mails: string[] = [];
const mailServer = new SMTPServer({
  disabledCommands: ["STARTTLS", "AUTH"],
  closeTimeout: 1,
  onData: async (stream, _session, done) => {
    mails.push(Buffer.concat(await Array.fromAsync(stream as AsyncIterable<Buffer>)).toString());
    done(null);
  },
});
await once(mailServer.listen(0, "127.0.0.1"), "listening");
const { port } = mailServer.server.address() as AddressInfo;
const world = await startWorld({
  allowHosts: [host],
  publicUrl: "https://gleaner.example/",
  smtp: { host: "127.0.0.1", port, from: "alerts@example.org", tls: "none" },
});
afterAll(async () => {
  await world.stop();
  receiver.close();
  mailServer.close(() => {});
});

const create = (body: object) => world.post<Hook>("/v1/hooks", { events: ["run.finished"], ...body });
const read = async (id: string) => (await world.call<HookWithAlerts>(`/v1/hooks/${id}`)).body;
const remove = async (path: string) =>
  (
    await fetch(world.service.url + path, {
      method: "DELETE",
      headers: { authorization: `Bearer ${world.service.credentials.api_key}` },
    })
  ).status;

/** The hook, when its newest alert has come to an end. */
async function afterAlert(id: string): Promise<HookWithAlerts> {
  for (;;) {
    const hook = await read(id);
    const [newest] = hook.alerts;
    if (newest !== undefined && newest.state !== "pending") return hook;
    await sleep(20);
  }
}

const finished = async (scraper_id: string) =>
  world.finished((await world.post("/v1/runs", { scraper_id })).body.id);

test("a scraper that breaks is told, signed, with a link to the console, once; and deleted with its hook", async () => {
  const missing = { type: "get_list", selector: ".missing", timeout_ms: 100, fields: [{ name: "title" }] };
  const steps = [{ type: "visit", url: `${world.shopUrl}/books` }, missing];
  const scraper = await world.putScraper({ name: "Broken books", steps });
  const { status, body, headers } = await create({
    url: `http://${host}/failing`,
    format: "standard",
    events: ["scraper.failing", "scraper.recovered"],
    scraper_id: scraper.id,
  });
  expect([status, headers.get("location")]).toEqual([201, `/v1/hooks/${body.id}`]);
  await finished(scraper.id);
  const run = await finished(scraper.id);
  const hook = await afterAlert(body.id);
  expect(hook.alerts).toMatchObject([
    { event: "scraper.failing", state: "delivered", attempts: [{ status: 200, answer: "ok" }] },
  ]);
  const deliveries = got.filter(({ path }) => path === "/failing");
  expect(deliveries).toHaveLength(1);
  const [delivery] = deliveries;
  const account = world.service.credentials.account;
  const [secret = ""] = await world.withTable((table) => webhookSecrets(table, account, () => ""));
  const alert = new Webhook(secret).verify(
    delivery?.body ?? "",
    delivery?.headers as Record<string, string>,
  ) as Alert;
  expect(alert.data).toMatchObject({
    title: "“Broken books” is failing",
    scraper: { id: scraper.id, name: "Broken books" },
    last_good_at: null,
  });
  expect(alert.data.run?.id).not.toBe(run.id);
  expect(alert.data.url).toBe(`https://gleaner.example/runs/${alert.data.run?.id}`);
  expect(await remove(`/v1/scrapers/${scraper.id}`)).toBe(204);
  expect((await world.call(`/v1/hooks/${body.id}`)).status).toBe(404);
});

test.each([
  ["slack", "/slack", acceptSlack],
  ["discord", "/discord", acceptDiscord],
  ["teams", "/teams", acceptTeams],
  ["ntfy", "/my-topic", acceptNtfy],
] as const)(
  "a test of a hook of the format %s is a message that the service takes",
  async (format, path, accept) => {
    const { body } = await create({ url: `http://${host}${path}`, format });
    const tested = await world.post<HookWithAlerts>(`/v1/hooks/${body.id}/test`, {});
    expect(tested.status).toBe(202);
    expect(await afterAlert(body.id)).toMatchObject({ alerts: [{ event: "hook.test", state: "delivered" }] });
    accept(JSON.parse(got.at(-1)?.body ?? ""));
    expect(got.at(-1)?.path).toBe(format === "ntfy" ? "/" : path);
    expect(await remove(`/v1/hooks/${body.id}`)).toBe(204);
  },
);

test("an e-mail", async () => {
  const { body } = await create({ url: "mailto:ops@example.org", format: "email" });
  await world.post(`/v1/hooks/${body.id}/test`, {});
  expect(await afterAlert(body.id)).toMatchObject({
    alerts: [{ event: "hook.test", state: "delivered", attempts: [{ status: 250 }] }],
  });
  expect(mails[0]).toContain("Subject: This is a test of a hook");
  expect(mails[0]).toContain("https://gleaner.example/settings");
  expect(await remove(`/v1/hooks/${body.id}`)).toBe(204);
});

test("a receiver that is gone disables the hook", async () => {
  const { body } = await create({ url: `http://${host}/gone`, format: "standard" });
  await world.post(`/v1/hooks/${body.id}/test`, {});
  const hook = await afterAlert(body.id);
  expect(hook.alerts).toMatchObject([{ state: "failed", attempts: [{ status: 410, answer: "no_service" }] }]);
  expect(hook.disabled?.reason).toContain("410");
  const { body: list } = await world.call<{ data: Hook[] }>("/v1/hooks");
  expect(list.data).toMatchObject([{ id: body.id, disabled: { reason: expect.stringContaining("410") } }]);
});

test("a finished batch is told", async () => {
  const scraper = await world.putScraper({
    name: "Pages",
    steps: [{ id: "open", type: "visit", url: world.shopUrl }],
  });
  const { body } = await create({
    url: `http://${host}/batch`,
    format: "standard",
    events: ["batch.finished"],
  });
  const inputs = [{ open: `${world.shopUrl}/books` }, { open: `${world.shopUrl}/about` }];
  const batch = await world.post<{ id: string }>("/v1/batches", { scraper_id: scraper.id, inputs });
  await world.finishedBatch(batch.body.id);
  await afterAlert(body.id);
  const { data } = JSON.parse(got.findLast(({ path }) => path === "/batch")?.body ?? "") as Alert;
  expect(data.batch).toMatchObject({ id: batch.body.id, total: 2 });
});

test("the command line adds, lists, tests and removes hooks", async () => {
  const run = (...args: string[]) => gleaner(["hook", ...args, "--data", world.data]);
  const scraper = await world.putScraper({ name: "Told", steps: [{ type: "visit", url: world.shopUrl }] });
  const added = await run(
    "add",
    "slack",
    `http://${host}/cli`,
    "--event",
    "run.changed",
    "--scraper",
    "Told",
  );
  const [id = ""] = /[0-9a-f-]{36}/.exec(added.stdout) ?? [];
  expect(added.stdout).toBe(`Created the hook ${id}. It is told of run.changed.\n`);
  expect((await read(id)).scraper_id).toBe(scraper.id);
  expect((await run("list")).stdout).toMatch(new RegExp(`${id}.*slack.*${host}.*run.changed.*Told`));
  expect(await run("test", id)).toMatchObject({ code: 0, stdout: "The test arrived.\n" });
  acceptSlack(JSON.parse(got.at(-1)?.body ?? ""));
  expect((await run("remove", "--yes", id)).stdout).toBe(`Deleted the hook ${id}.\n`);
  const mail = await run("add", "email", "ops@example.org", "--json");
  expect(JSON.parse(mail.stdout)).toMatchObject({
    url: "mailto:ops@example.org",
    events: ["scraper.failing", "scraper.recovered"],
  });
  const gone = await run("add", "standard", `http://${host}/gone?cli`, "--event", "run.finished", "--json");
  const failed = await run("test", JSON.parse(gone.stdout).id);
  expect(failed).toMatchObject({ code: 1, stderr: expect.stringContaining("The hook is disabled") });
  const refused = await run("add", "smoke", `http://${host}/x`);
  expect(refused.code).not.toBe(0);
  expect(refused.stderr).toContain("format");
});

test("hooks that can't be created", async () => {
  expect(await create({ url: "https://hooks.slack.com/mistyped", format: "slack" })).toMatchObject({
    status: 400,
    body: { errors: [{ path: "url", message: expect.stringContaining("hooks.slack.com/services") }] },
  });
  expect((await create({ url: `http://${host}/x`, format: "standard", scraper_id: "none" })).status).toBe(
    404,
  );
  const first = await create({ url: `http://${host}/x`, format: "standard" });
  expect(await create({ url: `http://${host}/x`, format: "standard" })).toMatchObject({
    status: 409,
    body: { message: expect.stringContaining(first.body.id) },
  });
});
