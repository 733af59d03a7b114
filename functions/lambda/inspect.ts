import { InvokeCommand, LambdaClient, TooManyRequestsException } from "@aws-sdk/client-lambda";
import type { Inspection } from "../contract/inspection.ts";
import type { InspectionTask } from "../inspections/task.ts";
import { issueTicket } from "../store/tickets.ts";
import { clientOptions } from "./client-options.ts";
import { inspectorFunction } from "./environment.ts";
import { now } from "./now.ts";
import { once } from "./once.ts";
import { table } from "./table.ts";
import { traced } from "./x-ray.ts";

/** An inspection takes up to a minute. */
const INSPECTION_MS = 80_000;
const requestHandler = {
  ...clientOptions.requestHandler,
  requestTimeout: INSPECTION_MS,
  socketTimeout: INSPECTION_MS,
};
/** One attempt: a client that waits for a browser tries again by itself. */
const lambda = once(() => traced(new LambdaClient({ requestHandler, maxAttempts: 1 })));

/** Lets the function with the browser do a task. It gets a ticket for the account's secrets, which it can't issue. */
export async function inspect(task: InspectionTask): Promise<Inspection | undefined> {
  const ticket = await issueTicket(table, task.account, now());
  try {
    const { FunctionError, Payload } = await lambda().send(
      new InvokeCommand({ FunctionName: inspectorFunction(), Payload: JSON.stringify({ task, ticket }) }),
    );
    const answer = JSON.parse(Payload?.transformToString() ?? "null");
    if (FunctionError !== undefined) throw new Error(`The inspection failed: ${answer?.errorMessage}`);
    return answer;
  } catch (error) {
    // All of the function's reserved concurrency is in use.
    if (error instanceof TooManyRequestsException) return undefined;
    throw error;
  }
}
