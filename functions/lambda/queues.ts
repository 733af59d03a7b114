import { SQSClient } from "@aws-sdk/client-sqs";
import { createQueues, type Queues } from "../queues.ts";
import type { RunRef } from "../runs/run.ts";
import { issueTicket } from "../store/tickets.ts";
import { clientOptions } from "./client-options.ts";
import { runsQueueUrl, webhooksQueueUrl } from "./environment.ts";
import { now } from "./now.ts";
import { once } from "./once.ts";
import { table } from "./table.ts";
import { traced } from "./x-ray.ts";

const sqs = once(() => traced(new SQSClient(clientOptions)));

/** A function gets only the URLs of the queues that it may send to, and reads them when it sends. */
const urls = {
  get runs() {
    return runsQueueUrl();
  },
  get webhooks() {
    return webhooksQueueUrl();
  },
};

function connect(ticketFor?: (ref: RunRef) => Promise<string>): Queues {
  const connected = once(() => createQueues(sqs(), urls, ticketFor));
  return {
    sendRun: (...message) => connected().sendRun(...message),
    sendWebhook: (...message) => connected().sendWebhook(...message),
  };
}

/** For functions that start runs or move them on: each message to an executor gets a ticket for the account's secrets. */
export const issuingQueues = (): Queues => connect(({ account }) => issueTicket(table, account, now()));

/**
 * For an executor, which can't issue tickets: it passes on the one that it got. Without one, it leaves the run to the
 * sweeper.
 */
export const passingQueues = (ticket: string | undefined): Queues =>
  connect(async () => {
    if (ticket === undefined) throw new Error("The message of this run had no ticket to pass on.");
    return ticket;
  });

/** For functions that send webhooks only. */
export const webhookQueues = (): Queues => connect();
