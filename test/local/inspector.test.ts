import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { afterAll, expect, test } from "@jest/globals";
import { createApiKey } from "../../functions/accounts/create-key.ts";
import { apiHandlers } from "../../functions/api/api-handlers.ts";
import type { InspectionTask } from "../../functions/inspections/task.ts";
import { createAccount } from "../../functions/store/accounts.ts";
import { createGateway } from "../../local/http/gateway.ts";
import { createInspector } from "../../local/inspections/inspector.ts";
import { startTable } from "../functions/store/local-table.ts";
import { noQueues, unusedByApi } from "../no-files.ts";
import { startSite } from "../site/site.ts";

/* An inspection that nobody waits for any longer. */

const table = await startTable();
const site = await startSite();
const now = () => new Date();
const options = {
  table,
  now,
  readSecrets: async () => new Map(),
  egress: { allowHosts: [site.host] },
};
const inspector = createInspector(options);
afterAll(async () => {
  await inspector.stop();
  await site.close();
});

const taskOf = (account: string, path: string): InspectionTask => ({
  account,
  steps: [{ type: "visit", url: site.url(path) }],
  ...{ pagination: { type: "none" }, proxy: { type: "none" }, credits_left: null },
  ...{ pages: 1, rows_limit: 1, want: ["rows"] },
});

test("ends as soon as its client is gone, whatever the page does", async () => {
  const closing = new AbortController();
  // The page never answers.
  site.setRoute("/hangs", () => closing.abort());
  const task = taskOf("left", "/hangs");
  const left = await inspector.inspect(task, closing.signal);
  expect(left?.error?.code).toBe("stopped");
  const late = await inspector.inspect(task, closing.signal);
  expect(late?.error?.code).toBe("stopped");
});

test("takes no browser from another account, waits for its turn, and stops to wait when its client is gone", async () => {
  let hanging = 0;
  const allHang = Promise.withResolvers<void>();
  site.setRoute("/never", () => {
    hanging += 1;
    if (hanging === 2) allHang.resolve();
  });
  site.setRoute("/shop", "<p>Open</p>");
  const closing = new AbortController();
  const ask = (account: string, path: string) => inspector.inspect(taskOf(account, path), closing.signal);
  const greedy = ["/never", "/never", "/shop"].map((path) => ask("greedy", path));
  await allHang.promise;
  expect(await ask("other", "/shop")).toMatchObject({ ok: true });
  closing.abort();
  const [first, second, third] = await Promise.all(greedy);
  expect([first?.error?.code, second?.error?.code, third]).toEqual(["stopped", "stopped", undefined]);
});

test("has none if no browser is free in time", async () => {
  const busy = createInspector({ ...options, waitMs: 1 });
  const begun = Promise.withResolvers<void>();
  site.setRoute("/holds", () => begun.resolve());
  const closing = new AbortController();
  const hanging = [1, 2].map(() => busy.inspect(taskOf("busy", "/holds"), closing.signal));
  await begun.promise;
  expect(await busy.inspect(taskOf("busy", "/shop"), undefined)).toBeUndefined();
  closing.abort();
  await Promise.all(hanging);
  await busy.stop();
});

test("learns from the gateway that its client is gone", async () => {
  await createAccount(table, { name: "left", credit_limit: null, rate_limit: null, created_at: "" });
  const { key } = await createApiKey(table, "left", now());
  const begun = Promise.withResolvers<void>();
  const told = Promise.withResolvers<boolean>();
  const log = { info() {}, error() {} };
  const gateway = createGateway(
    apiHandlers({
      table,
      now,
      log,
      queues: noQueues,
      ...unusedByApi,
      async inspect(_, closed) {
        begun.resolve();
        if (closed !== undefined && !closed.aborted) await once(closed, "abort");
        told.resolve(closed?.aborted ?? false);
        return undefined;
      },
    }),
    log,
  );
  await once(gateway.listen(0, "127.0.0.1"), "listening");
  const leaving = new AbortController();
  const answer = fetch(`http://127.0.0.1:${(gateway.address() as AddressInfo).port}/v1/inspections`, {
    method: "POST",
    body: JSON.stringify({ url: "https://example.org/" }),
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    signal: leaving.signal,
  });
  await begun.promise;
  leaving.abort();
  await expect(answer).rejects.toThrow("abort");
  expect(await told.promise).toBe(true);
  await new Promise((resolve) => gateway.close(resolve));
});
