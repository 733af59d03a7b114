import { listWebhookAttempts, resendWebhook } from "../../functions/store/run-follow-up.ts";
import { getRun } from "../../functions/store/runs.ts";
import { rotateWebhookSecret, webhookSecrets } from "../../functions/store/webhooks.ts";
import { newWebhookSecret } from "../../functions/webhooks/signature.ts";
import { type Where, withService } from "../connect.ts";
import { UsageError } from "../data-folder.ts";
import { print } from "../print.ts";
import { requireAccount } from "../require-account.ts";
import { tableOf } from "../table-of.ts";

interface Options extends Where {
  account: string;
  json?: boolean;
}

/** Shows the secrets that sign the account's webhooks. */
export async function showSecrets({ account, json, ...where }: Options): Promise<void> {
  const secrets = await withService(where, async (table) => {
    await requireAccount(table, account);
    return webhookSecrets(table, account, newWebhookSecret);
  });
  if (json) print(JSON.stringify({ account, secrets }, null, 2));
  else print(secrets.join("\n"));
}

export async function rotateSecret({ account, json, ...where }: Options): Promise<void> {
  const secrets = await withService(where, async (table) => {
    await requireAccount(table, account);
    return rotateWebhookSecret(table, account, newWebhookSecret);
  });
  if (json) return print(JSON.stringify({ account, secrets }, null, 2));
  print(
    `The new secret of the account "${account}". The previous one stays valid until the next rotation:\n  ${secrets[0]}`,
  );
}

export async function showAttempts(runId: string, { account, json, ...where }: Options): Promise<void> {
  const { outcome, attempts } = await withService(where, async (table) => {
    const run = await getRun(table, { account, id: runId });
    if (run === undefined) throw unknownRun(runId, account);
    return { outcome: run.webhook_outcome ?? null, attempts: await listWebhookAttempts(table, run) };
  });
  if (json) return print(JSON.stringify({ run_id: runId, outcome, attempts }, null, 2));
  if (attempts.length === 0) return print("There was no attempt yet.");
  const rows = attempts.map(({ at, status, duration_ms, answer }) => [
    at,
    status ?? "none",
    duration_ms,
    answer.slice(0, 60),
  ]);
  print(`${tableOf(["at", "status", "ms", "answer"], rows)}\nOutcome: ${outcome ?? "not delivered yet"}`);
}

export async function resend(runId: string, { account, json, ...where }: Options): Promise<void> {
  const queued = await withService(where, async (table) => {
    const ref = { account, id: runId };
    if ((await getRun(table, ref)) === undefined) throw unknownRun(runId, account);
    return resendWebhook(table, ref, new Date());
  });
  if (!queued) throw new UsageError(`The run ${runId} is still running, or has no webhook_url.`);
  print(
    json
      ? JSON.stringify({ run_id: runId, queued }, null, 2)
      : "The webhook will be sent again within a minute.",
  );
}

const unknownRun = (id: string, account: string) =>
  new UsageError(`The account "${account}" has no run with the id "${id}".`);
