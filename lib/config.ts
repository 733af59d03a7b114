import type { Node } from "constructs";
import * as v from "valibot";
import { UserAgent } from "../functions/contract/scrapers/scraper.ts";
import { CONCURRENT_BATCHES } from "./batches.ts";

const wholeNumber = (min: number, max: number, fallback: number) =>
  v.optional(v.pipe(v.number(), v.integer(), v.minValue(min), v.maxValue(max)), fallback);

/**
 * All settings with their defaults. They come from the context `gleaner` in cdk.json. The context `gleaner:<stage>`
 * overrides them for one stage. See docs/deploy.md.
 */
const Config = v.strictObject({
  /** Part of the stack's name, so that one account can have several services. */
  stage: v.pipe(v.string(), v.regex(/^[a-z][a-z0-9-]{0,19}$/, "must be 1 to 20 of a-z, 0-9 and -")),
  /** The email address to notify when an alarm goes off. Without it, alarms are visible only in CloudWatch. */
  alarmEmail: v.optional(v.pipe(v.string(), v.email())),
  retention: v.optional(
    v.strictObject({
      /** How long logs are kept, in days. */
      logDays: v.optional(v.picklist([1, 3, 7, 14, 30, 60, 90, 180, 365]), 30),
      /**
       * How long runs are kept with their rows, in days; null for ever. The minimum leaves time for webhook deliveries.
       */
      runDays: v.optional(
        v.nullable(v.pipe(v.number(), v.integer(), v.minValue(2), v.maxValue(36_500))),
        null,
      ),
      /** Whether `cdk destroy` keeps the table. "retain" also enables deletion protection. */
      table: v.optional(v.picklist(["retain", "delete"]), "retain"),
    }),
    {},
  ),
  /** An existing table to use. By default, the stack creates one. */
  table: v.optional(
    v.strictObject({
      /**
       * Name of a table with the same schema as the stack's, such as a restored one. The stack does not change or
       * delete it.
       */
      existing: v.pipe(v.string(), v.regex(/^[a-zA-Z0-9_.-]{3,255}$/, "must be the name of a table")),
    }),
  ),
  limits: v.optional(
    v.strictObject({
      /** The rate limit of the whole API, in requests per second, and its burst limit. It protects against overload. */
      requestsPerSecond: wholeNumber(1, 10_000, 100),
      requestBurst: wholeNumber(1, 5_000, 200),
      /**
       * Concurrent runs. By default, with the rest of `concurrentExecutions`, what a new AWS account executes at a time. Two
       * is the least that SQS takes.
       */
      concurrentRuns: wholeNumber(2, 1_000, 2),
      /** Concurrent deliveries of webhooks, alerts and rows. */
      concurrentWebhooks: wholeNumber(2, 1_000, 2),
      /**
       * The reserved concurrency of inspections. Null for no reservation and no limit: a new AWS account has too little
       * concurrency to reserve any.
       */
      concurrentInspections: v.optional(v.nullable(wholeNumber(1, 1_000, 2)), null),
      /** Memory of the executor in MB, which also determines its CPU. */
      executorMemory: wholeNumber(1024, 10_240, 2048),
    }),
    {},
  ),
  /** A custom domain for the API. */
  domain: v.optional(
    v.strictObject({
      name: v.string(),
      /** ARN of an ACM certificate for the name, in the region of the stack. */
      certificateArn: v.pipe(v.string(), v.startsWith("arn:")),
      /** The Route 53 zone for the name. Without it, you have to create the DNS record yourself. */
      zone: v.optional(v.strictObject({ id: v.string(), name: v.string() })),
    }),
  ),
  /** Whether CloudFront serves the console and, under the same name, the API. */
  console: v.optional(v.boolean(), false),
  /**
   * Whether new versions of the API's functions first get a tenth of the requests. Deployments take ten minutes longer.
   */
  canary: v.optional(v.boolean(), false),
  /** Whether a web application firewall protects the API. It costs about 7 USD per month. */
  firewall: v.optional(v.boolean(), false),
  /** Name of an SSM parameter (SecureString) that lists the upstream proxies. */
  proxiesParameter: v.optional(v.pipe(v.string(), v.startsWith("/"))),
  /** Name of an SSM parameter (SecureString) with the mail server that sends alerts by e-mail. */
  smtpParameter: v.optional(v.pipe(v.string(), v.startsWith("/"))),
  /** `host:port`s that scrapes and webhooks may reach in addition to public hosts on the usual ports. */
  allowHosts: v.optional(v.array(v.string()), []),
  /** The default user agent of scrapers. Include a contact address. */
  userAgent: v.optional(UserAgent),
  /** Whether to measure the duration of each stage of a run, and add it to logs and traces. */
  trace: v.optional(v.boolean(), false),
  /** False if the account already has a role for the logs of API Gateway in this region. */
  apiGatewayLogRole: v.optional(v.boolean(), true),
});
export type Config = v.InferOutput<typeof Config>;

/** What the stack executes at a time, besides runs, webhooks and most API requests. */
const OTHER_EXECUTIONS = {
  sweep: 1,
  batches: CONCURRENT_BATCHES,
  /** Each run that uses secrets calls `read-secrets` once, for a moment. */
  readSecrets: 1,
  /** `create-inspection` and `execute-inspection`. */
  inspection: 2,
};

/** The number of concurrent executions that the stack takes if all runs and webhooks are in use. */
export const concurrentExecutions = ({ concurrentRuns, concurrentWebhooks }: Config["limits"]): number =>
  Object.values(OTHER_EXECUTIONS).reduce((sum, count) => sum + count, concurrentRuns + concurrentWebhooks);

/**
 * Reads the settings of the stage that the context `stage` names ("prod" by default).
 * @throws Error with all invalid settings
 */
export function readConfig(node: Node): Config {
  const stage: string = node.tryGetContext("stage") ?? "prod";
  const settings = {
    ...node.tryGetContext("gleaner"),
    ...node.tryGetContext(`gleaner:${stage}`),
    stage,
  };
  const result = v.safeParse(Config, settings);
  if (result.success) return result.output;
  const problems = result.issues.map((issue) => `  ${v.getDotPath(issue) ?? "settings"}: ${issue.message}`);
  throw new Error(`The context "gleaner" in cdk.json can't be used:\n${problems.join("\n")}`);
}
