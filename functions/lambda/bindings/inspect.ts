import { InvokeCommand, LambdaClient, TooManyRequestsException } from "@aws-sdk/client-lambda";
import type { Inspection } from "../../contract/inspections/inspection.ts";
import type { InspectionTask } from "../../inspections/task.ts";
import { issueTicket } from "../../store/tickets.ts";
import { clientOptions } from "./client-options.ts";
import { inspectorFunction } from "./environment.ts";
import { now } from "./now.ts";
import { once } from "./once.ts";
import { table } from "./table.ts";
import { traced } from "./x-ray.ts";

/** Timeout of the call. An inspection takes up to a minute. */
const INSPECTION_MS = 80_000;
const requestHandler = {
  ...clientOptions.requestHandler,
  requestTimeout: INSPECTION_MS,
  socketTimeout: INSPECTION_MS,
};
/** The SDK does not retry: if no browser is free, the client of the API tries again. */
const lambda = once(() => traced(new LambdaClient({ requestHandler, maxAttempts: 1 })));

/**
 * Runs an inspection in the function that has the browser. That function can't issue a ticket for the account's
 * secrets, so it gets one. Returns undefined if no browser is free.
 * @throws Error if the function fails
 */
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
    // The reserved concurrency of the function is used up.
    if (error instanceof TooManyRequestsException) return undefined;
    throw error;
  }
}
