import { Readable } from "node:stream";
import { batchJson } from "../batches/batch-json.ts";
import type { DestinationDeps, Sent } from "../deliveries/destinations.ts";
import { sendRows } from "../deliveries/send-rows.ts";
import { EgressError } from "../egress/egress-error.ts";
import type { Post, PostAnswer } from "../egress/requests/post-json.ts";
import type { SendMail } from "../egress/requests/send-mail.ts";
import { alertOf } from "../hooks/alert.ts";
import { emailMessage } from "../hooks/formats/email.ts";
import { formats } from "../hooks/formats/formats.ts";
import type { StoredAlert, StoredHook } from "../hooks/hook.ts";
import type { RunRef, WebhookAttempt, WebhookState } from "../runs/run.ts";
import { runJson } from "../runs/run-json.ts";
import { getBatch } from "../store/batches/batches.ts";
import { getDelivery } from "../store/deliveries.ts";
import { getAlert } from "../store/hooks/alerts.ts";
import { getHook, setDisabled } from "../store/hooks/hooks.ts";
import { isAlertId, isBatchId, isDeliveryId } from "../store/runs/numbering.ts";
import { getRun } from "../store/runs/runs.ts";
import type { Table } from "../store/table.ts";
import { webhookSecrets } from "../store/webhooks.ts";
import { newWebhookSecret, signedHeaders } from "../webhooks/signature.ts";

export interface SubjectDeps {
  table: Table;
  post: Post;
  /** Sends e-mail; undefined if the operator has set up no mail server. */
  sendMail?: SendMail | undefined;
  /** The base URL of the console; undefined if the service has none. */
  consoleUrl?: () => string | undefined;
  /** What sending rows to destinations needs. Absent: no scraper has any. */
  destinations?: DestinationDeps | undefined;
  now: () => Date;
}

/** With this status, the receiver asks for no more attempts. */
const GONE = 410;
/** The replies of mail servers from this one on are final. */
const MAIL_REFUSED = 500;
const TIMEOUT_MS = 15_000;
/** The part of a response that is stored. */
const MAX_RESPONSE_BYTES = 1024;

export const isSuccess = (status: number | null): boolean => status !== null && status >= 200 && status < 300;

/** What is delivered: a run or a batch to its webhook, an alert to its hook, or rows to a destination. */
export interface Subject {
  state: RunRef & WebhookState;
  /** Makes an attempt. Absent if there is no receiver any more. @throws EgressError */
  send?: (at: Date) => Promise<PostAnswer>;
  /** Makes an attempt that may last longer than its claim, in place of `send`. @throws EgressError or DeliveryFailure */
  sendLong?: (signal: AbortSignal) => Promise<Sent>;
  /** Whether the receiver never takes it, by the status of its response. */
  isRefusal: (status: number | null) => boolean;
  /** Called after an attempt, before its result is stored: whoever sees the result also sees what follows from it. */
  conclude?(result: WebhookAttempt): Promise<void>;
}

const isGone = (status: number | null) => status === GONE;

/** Undefined if there is no such subject. */
export async function findSubject(deps: SubjectDeps, ref: RunRef): Promise<Subject | undefined> {
  if (isAlertId(ref.id)) return alertSubject(deps, ref);
  if (isDeliveryId(ref.id)) return deliverySubject(deps, ref);
  const { table } = deps;
  if (isBatchId(ref.id)) {
    const batch = await getBatch(table, ref);
    if (batch === undefined) return undefined;
    const json = () => Readable.from([JSON.stringify(batchJson(batch))]);
    return batch.webhook_url === null
      ? { state: batch, isRefusal: isGone }
      : signed(deps, batch, batch.webhook_url, json);
  }
  const run = await getRun(table, ref);
  if (run === undefined || run.webhook_url === null) return run && { state: run, isRefusal: isGone };
  return signed(deps, run, run.webhook_url, () => runJson(table, run));
}

/** `json`: makes the body, which may be too large for memory. */
function signed(
  { table, post }: SubjectDeps,
  state: RunRef & WebhookState,
  url: string,
  json: () => AsyncIterable<string | Buffer>,
): Required<Pick<Subject, "state" | "send" | "isRefusal">> {
  return {
    state,
    isRefusal: isGone,
    async send(at) {
      const secrets = await webhookSecrets(table, state.account, newWebhookSecret);
      // The same id for every attempt, so that a receiver can detect duplicates.
      const message = { id: state.id, timestamp: Math.floor(at.getTime() / 1000) };
      // The body is generated twice, to sign it and to send it.
      const headers = await signedHeaders(secrets, message, json());
      return post(url, { ...common, headers: { ...common.headers, ...headers }, body: json() });
    },
  };
}

const common = {
  headers: { "content-type": "application/json", "user-agent": "Gleaner-Webhook/1" },
  timeoutMs: TIMEOUT_MS,
  maxResponseBytes: MAX_RESPONSE_BYTES,
};

async function alertSubject(deps: SubjectDeps, ref: RunRef): Promise<Subject | undefined> {
  const { table } = deps;
  const alert = await getAlert(table, ref);
  if (alert === undefined) return undefined;
  const hook = await getHook(table, ref.account, alert.hook_id);
  // Tests of a disabled hook are sent, so that one that arrives can enable it.
  if (hook === undefined || (hook.disabled !== null && alert.event !== "hook.test"))
    return { state: alert, isRefusal: isGone };
  const isRefusal =
    hook.format === "email" ? (status: number | null) => (status ?? 0) >= MAIL_REFUSED : isGone;
  return {
    state: alert,
    isRefusal,
    send: senderOf(deps, alert, hook),
    async conclude({ at, status, answer }) {
      if (isRefusal(status)) {
        const reason = `The receiver answered with ${status}: it takes no more alerts. ${answer}`.trim();
        await setDisabled(table, ref.account, hook.id, { at, reason });
      } else if (hook.disabled !== null && isSuccess(status)) {
        await setDisabled(table, ref.account, hook.id, null);
      }
    },
  };
}

async function deliverySubject(
  { table, destinations, now }: SubjectDeps,
  ref: RunRef,
): Promise<Subject | undefined> {
  const delivery = await getDelivery(table, ref);
  if (delivery === undefined || destinations === undefined) return undefined;
  return {
    state: delivery,
    isRefusal: () => false,
    sendLong: (signal) => sendRows({ table, destinations, now }, delivery, signal),
  };
}

function senderOf(deps: SubjectDeps, stored: StoredAlert, hook: StoredHook): NonNullable<Subject["send"]> {
  const alert = alertOf(stored, deps.consoleUrl?.());
  if (hook.format === "standard")
    return signed(deps, stored, hook.url, () => Readable.from([JSON.stringify(alert)])).send;
  if (hook.format === "email") {
    const { sendMail } = deps;
    if (sendMail === undefined)
      return () =>
        Promise.reject(
          new EgressError("connect_failed", "The operator of the service has not set up a mail server"),
        );
    return () => sendMail(emailMessage(alert, stored.id, hook.url));
  }
  const { url, body } = formats[hook.format](alert, hook.url);
  return () => deps.post(url, { ...common, body: JSON.stringify(body) });
}
