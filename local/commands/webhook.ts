import type { RunWebhook } from "../../functions/contract/runs/run-webhook.ts";
import { rotateWebhookSecret, webhookSecrets } from "../../functions/store/webhooks.ts";
import { newWebhookSecret } from "../../functions/webhooks/signature.ts";
import { connect, pathOf } from "../client/api.ts";
import { findId } from "../client/find-id.ts";
import type { Where as Api } from "../client/target.ts";
import { type Where, withService } from "../connect.ts";
import { changeService } from "../operator-change.ts";
import { requireAccount } from "../require-account.ts";
import { tableOf } from "../table-of.ts";
import { confirm } from "../terminal/confirm.ts";
import { note, print, printJson, suggest } from "../terminal/print.ts";

/** The maximum length of a line of a response, in characters. */
const WIDTH = 60;

interface Options extends Where {
  account: string;
  json?: boolean;
}

/** Shows the secrets that sign the account's webhooks. */
export async function showSecrets({ account, json, ...where }: Options): Promise<void> {
  const secrets = await withService(where, async (table) => {
    await requireAccount(table, account, where);
    return webhookSecrets(table, account, newWebhookSecret);
  });
  if (json) return printJson({ account, secrets });
  print(secrets.join("\n"));
  if (secrets.length > 1)
    note("The first one is the new one. The other one stays valid until the next rotation.");
}

/** Adds a new webhook secret. Asks first if that invalidates an older secret, which receivers may still use. */
export async function rotateSecret({
  account,
  yes,
  json,
  ...where
}: Options & { yes?: boolean }): Promise<void> {
  const valid = await withService(where, async (table) => {
    await requireAccount(table, account, where);
    return webhookSecrets(table, account, newWebhookSecret);
  });
  if (valid.length > 1) {
    await confirm(
      `The account "${account}" has two secrets since its last rotation. Create a new one, and invalidate the older one?`,
      yes,
    );
  }
  const secrets = await changeService(
    where,
    (table) => rotateWebhookSecret(table, account, newWebhookSecret),
    () => ({ account, action: "webhook_secret.rotate", target: null }),
  );
  if (json) return printJson({ account, secrets });
  print(
    `The new secret of the account "${account}". The previous one stays valid until the next rotation:\n  ${secrets[0]}`,
  );
}

export async function showAttempts(
  named: string,
  { json, ...where }: Api & { json?: boolean },
): Promise<void> {
  const api = await connect(where);
  const runId = await findId(api, "runs", named);
  const webhook = await api.get<RunWebhook>(pathOf("runs", runId, "/webhook"));
  if (json) return printJson(webhook);
  const rows = webhook.attempts.map(({ at, status, duration_ms, answer }) => [
    at,
    status ?? "none",
    duration_ms,
    inLines(answer),
  ]);
  const table = rows.length === 0 ? "" : `${tableOf(["at", "status", "ms", "answer"], rows)}\n`;
  print(table + saying[webhook.state](webhook));
}

/** Breaks a text into lines, between words if possible. */
export const inLines = (text: string) =>
  (text.match(new RegExp(`.{1,${WIDTH}}(?=\\s|$)|.{1,${WIDTH}}`, "g")) ?? [])
    .map((line) => line.trim())
    .join("\n");

const saying: Record<RunWebhook["state"], (webhook: RunWebhook) => string> = {
  none: () => "The run has no webhook.",
  waiting: () => "The webhook is sent when the run has finished.",
  pending: ({ next_attempt_at: next }) =>
    `Not delivered yet. ${next === null ? "The next attempt is about to be made" : `Next attempt: ${next}`}`,
  delivered: () => "Outcome: delivered",
  failed: () => "Outcome: failed",
};

export async function resend(named: string, { json, ...where }: Api & { json?: boolean }): Promise<void> {
  const api = await connect(where);
  const runId = await findId(api, "runs", named);
  const request = { method: "POST" } as const;
  const { body } = await api.json<RunWebhook>(pathOf("runs", runId, "/webhook/resend"), request);
  if (json) return printJson(body);
  print("The webhook will be sent again within a minute.");
  suggest(`webhook attempts ${runId}`);
}
