import {
  GetAccountSettingsCommand,
  InvalidParameterValueException,
  LambdaClient,
  ListLayersCommand,
} from "@aws-sdk/client-lambda";
import { requireCredentials, stackOutputs, UnknownStack } from "../../stack-outputs.ts";
import type { Finding } from "./finding.ts";

const RUNTIME = "nodejs24.x";
/** Regions outside of AWS's commercial ones: GovCloud, China, the isolated ones, and the European sovereign cloud. */
const OTHER_REGIONS = /^(us-gov|cn|us-iso|eu-iso|eusc)/;
const TIMEOUT_MS = 10_000;

/** Checks whether the region has what the stack needs. */
export const region = (): Promise<Finding> =>
  withLambda(async (lambda) => {
    const name = await lambda.config.region();
    if (!(await hasRuntime(lambda)))
      return {
        state: "problem",
        message: `${name} has no Node.js 24 for Lambda`,
        advice: "Choose another region.",
      };
    const message = `${name} has Node.js 24 for Lambda`;
    if (!OTHER_REGIONS.test(name)) return { state: "ok", message };
    return {
      state: "warning",
      message: `${message}, but it is not one of AWS's commercial regions`,
      advice:
        "Check in AWS's list of regions that API Gateway streams responses there and, if you set `console`, that it has CloudFront.",
    };
  });

/** Lambda rejects names of runtimes that the region does not have. */
async function hasRuntime(lambda: LambdaClient): Promise<boolean> {
  try {
    await lambda.send(new ListLayersCommand({ CompatibleRuntime: RUNTIME, MaxItems: 1 }));
    return true;
  } catch (error) {
    const { name, message } = error as Error;
    const isRejected = error instanceof InvalidParameterValueException || name === "ValidationException";
    if (isRejected && message.includes(RUNTIME)) return false;
    throw error;
  }
}

/** Checks whether the API and, if there is one, the console of a stack respond, which also shows that responses stream. */
export async function deployed(stack: string): Promise<Finding> {
  const read = await outputsOf(stack);
  if (read === undefined) {
    return {
      state: "note",
      message: `"${stack}" is not deployed in this region`,
      advice: "`npx cdk deploy` does.",
    };
  }
  const consoleUrl = read("ConsoleUrl", "");
  const urls = [`${read("BaseUrl")}/v1/health`, ...(consoleUrl ? [`${consoleUrl}/`] : [])];
  for (const url of urls) {
    const problem = await unlessOk(url);
    if (problem !== undefined) {
      const advice = "Read the log of the function `GetHealth`, and look at the stack's dashboard.";
      return { state: "problem", message: `${url} ${problem}`, advice };
    }
  }
  return { state: "ok", message: `${urls.join(" and ")} respond` };
}

/** What is wrong with the response of a URL; undefined if its status is 200. */
const unlessOk = (url: string): Promise<string | undefined> =>
  fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS) }).then(
    async (response) => {
      await response.body?.cancel();
      return response.ok ? undefined : `responded with ${response.status}`;
    },
    (error: Error) => `did not respond: ${(error.cause as Error | undefined)?.message ?? error.message}`,
  );

/** Compares the account's quota of concurrent executions with what the stack executes at a time. */
export const concurrency = (stack: string): Promise<Finding> =>
  withLambda(async (lambda) => {
    const { AccountLimit } = await lambda.send(new GetAccountSettingsCommand());
    const quota = AccountLimit?.ConcurrentExecutions ?? 0;
    const needed = Number((await outputsOf(stack))?.("ConcurrentExecutions"));
    const message = `the account executes ${quota} functions at a time in this region`;
    if (Number.isNaN(needed)) return { state: "note", message };
    if (quota >= needed) return { state: "ok", message: `${message}, and the stack up to ${needed}` };
    return {
      state: "warning",
      message: `${message}, but the stack up to ${needed}. Lambda throttles the others: runs, webhooks and sweeps are late, requests and inspections fail`,
      advice:
        'Request a higher quota (Service Quotas, Lambda, "Concurrent executions"), or lower limits.concurrentRuns. See docs/deploy.md#concurrent-executions.',
    };
  });

/** The outputs of a stack; undefined if it is not deployed. */
const outputsOf = (stack: string) =>
  stackOutputs(stack).catch((error: unknown) => {
    if (error instanceof UnknownStack) return undefined;
    throw error;
  });

async function withLambda(work: (lambda: LambdaClient) => Promise<Finding>): Promise<Finding> {
  const lambda = new LambdaClient();
  try {
    await requireCredentials(lambda);
    return await work(lambda);
  } finally {
    lambda.destroy();
  }
}
