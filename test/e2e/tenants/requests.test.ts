import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { afterAll, expect, test } from "@jest/globals";
import { apiHandlers } from "../../../functions/api/api-handlers.ts";
import { sweptSchedules } from "../../../functions/schedules/schedules.ts";
import { createGateway } from "../../../local/http/gateway.ts";
import { startTable } from "../../functions/store/local-table.ts";
import { type Recorded, record } from "../../functions/store/recorder.ts";
import { noFiles, noKeys } from "../../no-files.ts";
import { type Sent, send } from "../send.ts";
import { without } from "./compare.ts";
import { allProbes, probes } from "./probes.ts";
import { createTenants } from "./tenants.ts";

/*
 * What is another account's can't be told by time from what never was: both are looked for by the same requests to the
 * table, with the same keys, for the same capacity. bench/load/tenants.ts measures the times.
 */

const table = await startTable();
const time = new Date();
const log = { info() {}, error() {} };
const queues = { sendRun: async () => {}, sendWebhook: async () => {}, sendBatch: async () => {} };
const gateway = createGateway(
  apiHandlers({
    table,
    queues,
    now: () => time,
    log,
    schedules: sweptSchedules,
    inspect: async () => undefined,
    allowHosts: () => [],
    fetchFile: noFiles,
    sessionKey: noKeys,
  }),
  log,
);
await once(gateway.listen(0, "127.0.0.1"), "listening");
afterAll(() => new Promise((resolve) => gateway.close(resolve)));
const url = `http://127.0.0.1:${(gateway.address() as AddressInfo).port}`;

const { mine, theirs } = await createTenants(table);
// Opens the window of the rate limit, which takes requests of its own.
await send(url, { method: "GET", path: "/v1/runs", headers: { authorization: `Bearer ${mine.key}` } });

async function recorded(request: Sent): Promise<{ requests: Recorded[]; made: boolean }> {
  let status = 0;
  const requests = await record(table, async () => {
    ({ status } = await send(url, request));
  });
  return { requests, made: status === 201 };
}

/** The requests as text, without the value probed with and, where a run was made, without what is new at each. */
function comparable({ requests, made }: { requests: Recorded[]; made: boolean }, value: string): unknown {
  // Each deletion has an identifier of its own.
  const text = without(JSON.stringify(requests), value, made).replace(/(":deletion":")[^"]*/, "$1");
  // Numbers in keys, counts of numbers, and partitions of what is due.
  const numbers = /"\d{12}(#STATE|#RUNS)?"|(?<=_number":)\d+|"RUN#\d+"/g;
  // Hashes: of the idempotency key, and of a request that names the value.
  return JSON.parse((made ? text.replace(numbers, '"NUMBER"') : text).replace(/[0-9a-f]{64}/g, "HASH"));
}

test.each(allProbes(probes(mine, theirs)))("$name", async ({ probe }) => {
  const [value, other] = probe.values;
  const [asked, expected] = [await recorded(probe.theirs), await recorded(probe.never)];
  expect(comparable(asked, value)).toEqual(comparable(expected, other));
  expect(asked.requests.length).toBeGreaterThan(0);
  // No key of a request names the other account.
  expect(JSON.stringify(asked.requests).replaceAll(value, "")).not.toContain(`ACCOUNT#${theirs.account}`);
});
