import type { Node } from "constructs";
import * as v from "valibot";
import { UserAgent } from "../functions/contract/scraper.ts";

const wholeNumber = (min: number, max: number, fallback: number) =>
  v.optional(v.pipe(v.number(), v.integer(), v.minValue(min), v.maxValue(max)), fallback);

/**
 * All that can be set, with what holds otherwise. The settings stand in the context `gleaner` of cdk.json, and those
 * of one stage alone in `gleaner:<stage>`; docs/deploy.md says more.
 */
const Config = v.strictObject({
  /** Part of the stack's name, so that several services fit into one account. */
  stage: v.pipe(v.string(), v.regex(/^[a-z][a-z0-9-]{0,19}$/, "must be 1 to 20 of a-z, 0-9 and -")),
  /** Who gets an e-mail from every alarm; without it the alarms only show in CloudWatch. */
  alarmEmail: v.optional(v.pipe(v.string(), v.email())),
  retention: v.optional(
    v.strictObject({
      /** How long logs are kept, in days. */
      logDays: v.optional(v.picklist([1, 3, 7, 14, 30, 60, 90, 180, 365]), 30),
      /** Whether the table outlives `cdk destroy`; "retain" also protects it from deletion by hand. */
      table: v.optional(v.picklist(["retain", "delete"]), "retain"),
    }),
    {},
  ),
  limits: v.optional(
    v.strictObject({
      /** Requests a second to the whole API, and how many may come at once: a shield, not a quota. */
      requestsPerSecond: wholeNumber(1, 10_000, 100),
      requestBurst: wholeNumber(1, 5_000, 200),
      /** Runs executed at a time. With the two below it has to fit the account's Lambda concurrency: new ones have 10. */
      concurrentRuns: wholeNumber(2, 1_000, 5),
      /** Webhooks delivered at a time. */
      concurrentWebhooks: wholeNumber(2, 1_000, 3),
      /** Memory of the executor in MB, and with it its share of CPU. */
      executorMemory: wholeNumber(1024, 10_240, 2048),
    }),
    {},
  ),
  /** A domain of your own for the API. */
  domain: v.optional(
    v.strictObject({
      name: v.string(),
      /** A certificate of ACM for the name, in the region of the stack. */
      certificateArn: v.pipe(v.string(), v.startsWith("arn:")),
      /** The Route 53 zone that gets the name; without it the name has to be set up by hand. */
      zone: v.optional(v.strictObject({ id: v.string(), name: v.string() })),
    }),
  ),
  /** Whether a web application firewall stands before the API; it costs some 7 USD a month. */
  firewall: v.optional(v.boolean(), false),
  /** Name of an SSM parameter (SecureString) that lists the upstream proxies. */
  proxiesParameter: v.optional(v.pipe(v.string(), v.startsWith("/"))),
  /** `host:port`s that scrapes and webhooks may reach besides public hosts on the usual ports. */
  allowHosts: v.optional(v.array(v.string()), []),
  /** What scrapers' browsers call themselves, where a scraper does not say: name an address to complain to. */
  userAgent: v.optional(UserAgent),
  /** False where the account has a role for API Gateway's logs already: an account has one for each region. */
  apiGatewayLogRole: v.optional(v.boolean(), true),
});
export type Config = v.InferOutput<typeof Config>;

/**
 * The settings of the stage that is named by the context `stage` (prod unless said otherwise).
 * @throws Error that lists every wrong setting
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
