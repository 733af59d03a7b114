import { createApiKey } from "../../../functions/accounts/create-key.ts";
import { inArray } from "../../../functions/batches/check-inputs.ts";
import { startBatch } from "../../../functions/batches/start-batch.ts";
import { RUN_TIMING } from "../../../functions/run-timing.ts";
import { startRun } from "../../../functions/runs/start-run.ts";
import { createAccount } from "../../../functions/store/accounts.ts";
import { createHook } from "../../../functions/store/hooks/hooks.ts";
import { newId, numberOf } from "../../../functions/store/runs/numbering.ts";
import { putSession } from "../../../functions/store/sessions.ts";
import type { Table } from "../../../functions/store/table.ts";
import { definition, storeScraper } from "../../functions/store/samples.ts";
import { noFiles } from "../../no-files.ts";

/** An account and what it has, the oldest first. */
export interface Tenant {
  account: string;
  key: string;
  scrapers: string[];
  runs: string[];
  batches: string[];
  hooks: string[];
  /** The name of a kept sign-in. */
  session: string;
  /** Keys that it has used: the n-th for its n-th run. */
  idempotencyKeys: string[];
}

/** More than a page of each, so that the other account has pages that this one has not. */
const MANY = 53;
const FEW = 3;

/** No test takes so long that a service finds these runs overdue, and executes them. */
const NEVER_OVERDUE = { ...RUN_TIMING, overdueMs: 3_600_000 };
/** Their runs fail at once, and their webhooks are not sent: nothing may be reached. */
const NOWHERE = "http://127.0.0.1:80";

const steps = [
  { id: "open", type: "visit" as const, url: NOWHERE },
  { id: "secret-step", type: "write_input" as const, value: "" },
];

/** Two accounts with the same names and numbers in them: `theirs` has all that `mine` has, and more. */
export async function createTenants(table: Table): Promise<{ mine: Tenant; theirs: Tenant }> {
  return { mine: await createTenant(table, "globex", FEW), theirs: await createTenant(table, "acme", MANY) };
}

async function createTenant(table: Table, account: string, count: number): Promise<Tenant> {
  await createAccount(table, { name: account, credit_limit: null, rate_limit: 1_000_000, created_at: "" });
  const { key } = await createApiKey(table, account, new Date());
  const tenant: Tenant = {
    account,
    key,
    scrapers: [],
    runs: [],
    batches: [],
    hooks: [],
    session: `session-${account}`,
    idempotencyKeys: [],
  };
  const state = { sealed: Buffer.of(1), hosts: [NOWHERE], saved_at: "2030-01-01T00:00:00.000Z" };
  await putSession(table, account, { ...state, name: tenant.session }, "any");
  const queues = { sendRun: async () => {}, sendWebhook: async () => {}, sendBatch: async () => {} };
  const now = () => new Date();
  for (let number = 1; number <= count; number += 1) {
    // Steps that bear the other account's names as well would hide that they can be told apart.
    const own = steps.map((step) => ({ ...step, id: `${step.id}-${account}` }));
    const scraper = await storeScraper(
      table,
      account,
      { ...definition, name: `Books ${number}`, steps: own },
      now(),
    );
    const idempotencyKey = `order-${account}-${number}`;
    const started = await startRun(
      { table, queues, now, timing: NEVER_OVERDUE, log: { info() {}, error() {} } },
      {
        account,
        source: "api",
        request: { scraper_id: scraper.id, webhook_url: `${NOWHERE}/${account}` },
        idempotencyKey,
      },
    );
    if (started.outcome !== "started") throw new Error(started.outcome);
    const batch = await startBatch(
      { table, queues, now, timing: NEVER_OVERDUE, log: { info() {}, error() {} }, fetchFile: noFiles },
      {
        account,
        source: "api",
        settings: { scraper_id: scraper.id, webhook_url: `${NOWHERE}/${account}`, concurrency: 1 },
        inputs: { inputs: [{ [`open-${account}`]: `${NOWHERE}/${account}` }], placeOf: inArray },
      },
    );
    if (batch.outcome !== "started") throw new Error(batch.outcome);
    // An account has fewer hooks than it has scrapers here.
    const hook = { format: "standard", events: ["credits.low"], scraper_id: null } as const;
    const created = await createHook(
      table,
      account,
      { ...hook, events: [...hook.events], url: `${NOWHERE}/${account}/${number}` },
      now(),
    );
    if (created.outcome === "created") tenant.hooks.push(created.hook.id);
    tenant.batches.push(batch.batch.id);
    tenant.scrapers.push(scraper.id);
    tenant.runs.push(started.run.id);
    tenant.idempotencyKeys.push(idempotencyKey);
  }
  return tenant;
}

/** An id of the same form, millisecond and number as another one, that was never given. */
export function neverGiven(id: string): string {
  const time = Number.parseInt(id.replace("-", "").slice(0, 12), 16);
  return newId(numberOf(id) ?? 0, new Date(time));
}
