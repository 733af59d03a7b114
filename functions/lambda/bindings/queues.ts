import { SQSClient } from "@aws-sdk/client-sqs";
import { createQueues, type Queues } from "../../queues.ts";
import type { RunRef } from "../../runs/run.ts";
import { issueTicket } from "../../store/tickets.ts";
import { clientOptions } from "./client-options.ts";
import { batchesQueueUrl, runsQueueUrl, webhooksQueueUrl } from "./environment.ts";
import { now } from "./now.ts";
import { once } from "./once.ts";
import { table } from "./table.ts";
import { traced } from "./x-ray.ts";

const sqs = once(() => traced(new SQSClient(clientOptions)));

/** Read on each use, because a function only has the URLs of the queues that it may send to. */
const urls = {
  get runs() {
    return runsQueueUrl();
  },
  get webhooks() {
    return webhooksQueueUrl();
  },
  get batches() {
    return batchesQueueUrl();
  },
};

/** @param ticketFor returns the ticket for the message of a run; if it is absent, messages have no ticket */
function connect(ticketFor?: (ref: RunRef) => Promise<string>): Queues {
  const connected = once(() => createQueues(sqs(), urls, ticketFor));
  return {
    sendRun: (...message) => connected().sendRun(...message),
    sendWebhook: (...message) => connected().sendWebhook(...message),
    sendBatch: (...message) => connected().sendBatch(...message),
  };
}

/** For functions that start or resume runs. Each message to an executor gets a new ticket for the account's secrets. */
export const issuingQueues = (): Queues => connect(({ account }) => issueTicket(table, account, now()));

/**
 * For executors, which can't issue tickets, so they pass on the one that they got. Without one, the message can't be
 * sent, and the sweeper queues the run later.
 */
export const passingQueues = (ticket: string | undefined): Queues =>
  connect(async () => {
    if (ticket === undefined) throw new Error("The message of this run had no ticket to pass on.");
    return ticket;
  });

/** For functions that send no runs. */
export const plainQueues = (): Queues => connect();
