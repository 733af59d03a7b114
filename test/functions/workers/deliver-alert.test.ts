import { expect, test } from "@jest/globals";
import { Webhook } from "standardwebhooks";
import { getHook as readHook } from "../../../functions/api/hooks/get-hook.ts";
import { testHook } from "../../../functions/api/hooks/test-hook.ts";
import type { ApiDeps, ApiRequest } from "../../../functions/api/types.ts";
import type { HookWithAlerts } from "../../../functions/contract/hooks/hook.ts";
import type { Post } from "../../../functions/egress/requests/post-json.ts";
import type { SendMail } from "../../../functions/egress/requests/send-mail.ts";
import { listAlerts } from "../../../functions/store/hooks/alerts.ts";
import { createHook, deleteHooks, getHook } from "../../../functions/store/hooks/hooks.ts";
import type { Table } from "../../../functions/store/table.ts";
import { webhookSecrets } from "../../../functions/store/webhooks.ts";
import { deliverWebhook } from "../../../functions/workers/deliver-webhook.ts";
import { sweep } from "../../../functions/workers/sweep.ts";
import { startAccount } from "../hooks/end-of-runs.ts";
import { startTable } from "../store/local-table.ts";

const table = await startTable();
let accounts = 0;

/** An account, a receiver that answers as it is told, and what it got. */
async function scene() {
  accounts += 1;
  const account = await startAccount(table, `account-${accounts}`);
  const receiver = { status: 200 };
  const got: { url: string; headers: Record<string, string>; body: string }[] = [];
  const post: Post = async (url, { headers, body }) => {
    const pieces = typeof body === "string" ? [body] : await Array.fromAsync(body);
    got.push({ url, headers, body: pieces.map(String).join("") });
    return { status: receiver.status, body: "said so", durationMs: 1 };
  };
  const { deps, sent } = account;
  const deliverAll = async () => {
    for (const ref of sent.splice(0))
      await deliverWebhook({ ...deps, post, consoleUrl: () => "https://gleaner.example" }, ref);
  };
  const sendTest = async (id: string) => {
    const request = { account: account.account, id } as ApiRequest<"testHook">;
    const { json } = await testHook(request, deps as unknown as ApiDeps);
    return json as HookWithAlerts;
  };
  const alerts = (id: string) => listAlerts(table, account.account, id, account.now());
  return { ...account, receiver, got, deliverAll, sendTest, alerts };
}

test("an alert is a signed request, by the secrets of the account's webhooks", async () => {
  const { hook, end, deliverAll, got, account, alerts } = await scene();
  const { id } = await hook(["run.finished"]);
  const run = await end();
  await deliverAll();
  const [secret = ""] = await webhookSecrets(table, account, () => "");
  const [{ url, headers, body } = { url: "", headers: {}, body: "" }] = got;
  const at = new Date(Number(headers["webhook-timestamp"]) * 1_000);
  const signature = new Webhook(secret).sign(headers["webhook-id"] ?? "", at, body);
  expect(headers["webhook-signature"]).toBe(signature);
  expect(JSON.parse(body)).toMatchObject({
    type: "run.finished",
    data: { run: { id: run.id }, url: `https://gleaner.example/runs/${run.id}` },
  });
  expect(url).toBe("https://example.org/run.finished-null");
  expect(await alerts(id)).toMatchObject([{ webhook_outcome: "delivered", webhook_log: [{ status: 200 }] }]);
});

test("a receiver that is gone disables its hook, which says so, and gets nothing more", async () => {
  const { hook, end, deliverAll, got, receiver, account } = await scene();
  const { id } = await hook(["run.finished"]);
  receiver.status = 410;
  await end();
  await deliverAll();
  expect((await getHook(table, account, id))?.disabled?.reason).toBe(
    "The receiver answered with 410: it takes no more alerts. said so",
  );
  await end();
  await deliverAll();
  expect(got).toHaveLength(1);
});

test("whoever sees the result of an attempt also sees that it has disabled the hook", async () => {
  const { hook, end, receiver, account, deps, sent } = await scene();
  const { id } = await hook(["run.finished"]);
  receiver.status = 410;
  await end();
  /** The table, for a reader or writer to whom something happens after each of its commands. */
  const tableWith = (happen: () => Promise<unknown>): Table => {
    const send = async (command: Parameters<Table["db"]["send"]>[0]) => {
      const answer = await table.db.send(command);
      await happen();
      return answer;
    };
    return { ...table, db: { send } as Table["db"] };
  };
  const seen: string[] = [];
  const look = async (of: Table) => {
    const request = { account, id } as ApiRequest<"getHook">;
    const { json } = await readHook(request, { ...deps, table: of } as unknown as ApiDeps);
    const { alerts, disabled } = json as HookWithAlerts;
    seen.push(`${alerts[0]?.state}, ${disabled === null ? "enabled" : "disabled"}`);
  };
  const [ref = { account, id: "" }] = sent.splice(0);
  const post: Post = async () => ({ status: receiver.status, body: "", durationMs: 1 });
  const deliver = () => deliverWebhook({ ...deps, table: tableWith(() => look(table)), post }, ref);
  let delivered: Promise<void> | undefined;
  await look(tableWith(() => (delivered ??= deliver())));
  expect(seen).toContain("failed, disabled");
  expect(seen).not.toContain("failed, enabled");
});

test("what waited when the hook was disabled or deleted is given up", async () => {
  const { hook, end, deliverAll, got, receiver, account, alerts } = await scene();
  const { id } = await hook(["run.finished"]);
  await end();
  await end();
  receiver.status = 410;
  await deliverAll();
  expect(got).toHaveLength(1);
  expect(await alerts(id)).toMatchObject([{ webhook_outcome: "failed" }, { webhook_outcome: "failed" }]);
  const other = await hook(["scraper.failing", "run.finished"]);
  await end();
  await deleteHooks(table, account, () => true);
  await deliverAll();
  expect(got).toHaveLength(1);
  const [left] = await alerts(other.id);
  expect(left).toMatchObject({ webhook_outcome: "failed" });
  expect(left).not.toHaveProperty("due_at");
});

test("a test that arrives enables a disabled hook; while one waits, there is no second one", async () => {
  const { hook, end, deliverAll, got, receiver, account, sendTest, sent, wait } = await scene();
  const { id } = await hook(["run.finished"]);
  receiver.status = 410;
  await end();
  await deliverAll();
  receiver.status = 200;
  wait(1);
  await sendTest(id);
  const { alerts } = await sendTest(id);
  expect(alerts.map(({ event, state }) => [event, state])).toEqual([
    ["hook.test", "pending"],
    ["run.finished", "failed"],
  ]);
  expect(sent).toHaveLength(1);
  await deliverAll();
  expect(JSON.parse(got.at(-1)?.body ?? "")).toMatchObject({ type: "hook.test", data: { run: null } });
  expect((await getHook(table, account, id))?.disabled).toBeNull();
  expect((await sendTest(id)).alerts).toHaveLength(3);
});

test("an alert whose message was lost, and a run whose hooks were not told, are queued by the sweep", async () => {
  const { hook, end, endRun, sent, deps, now } = await scene();
  await hook(["run.finished"]);
  const told = await end();
  const untold = await endRun();
  const lost = sent.splice(0);
  const later = () => new Date(now().getTime() + 120_000);
  await sweep({ ...deps, now: later });
  const own = sent.filter(({ account }) => account === deps.table.name || account === told.account);
  expect(own.map(({ id }) => id).toSorted()).toEqual([untold.id, ...lost.map(({ id }) => id)].toSorted());
});

test.each([
  { status: 550, isDisabled: true, isPending: false },
  { status: 450, isDisabled: false, isPending: true },
  { status: 250, isDisabled: false, isPending: false },
])("a mail server answers with $status", async ({ status, isDisabled, isPending }) => {
  const { end, sent, deps, account, now, alerts } = await scene();
  const mails: unknown[] = [];
  const sendMail: SendMail = async (mail) => {
    mails.push(mail);
    return { status, body: "said so", durationMs: 1 };
  };
  const created = await createHook(
    table,
    account,
    { url: "mailto:ops@example.org", format: "email", events: ["run.finished"], scraper_id: null },
    now(),
  );
  const id = "hook" in created ? created.hook.id : "";
  await end();
  const post = () => Promise.reject(new Error("not by HTTP"));
  for (const ref of sent.splice(0)) await deliverWebhook({ ...deps, post, sendMail }, ref);
  const [alert] = await alerts(id);
  expect(mails).toMatchObject([
    { id: alert?.id, to: "ops@example.org", subject: expect.stringContaining("Books") },
  ]);
  expect(alert?.undelivered === true).toBe(isPending);
  expect((await getHook(table, account, id))?.disabled !== null).toBe(isDisabled);
});

test("a receiver that is down gets the same alert again, with the same id", async () => {
  const { hook, end, deliverAll, got, receiver, alerts } = await scene();
  const { id } = await hook(["run.finished"]);
  receiver.status = 503;
  await end();
  await deliverAll();
  expect(await alerts(id)).toMatchObject([
    { undelivered: true, webhook_attempts: 1, webhook_log: [{ status: 503, answer: "said so" }] },
  ]);
  expect(got[0]?.headers["webhook-id"]).toBe((await alerts(id))[0]?.id);
});
