/**
 * What the service costs on AWS: capacity and bytes of one run are measured on the service's own code, how long things
 * take is assumed and said below, prices come from cost-prices.ts. docs/cost.md has the result and what it means.
 */
import Table from "cli-table3";
import { measureRun } from "./cost-measure.ts";
import { free, peers, prices } from "./cost-prices.ts";

const PAGES = 5;
const ROWS = 100;
const SECONDS_A_MONTH = 30 * 24 * 60 * 60;
const RUNS_A_MONTH = [0, 1_000, 100_000, 10_000_000];

/** What is assumed of each run besides what is measured. */
const assumed = {
  /** A page of a real site, and what a run takes besides: claim, browser, last writes. */
  secondsPerPage: 1.5,
  secondsPerRun: 1,
  executorGb: 2,
  /** Milliseconds of each of the small functions, which have half a GB. */
  apiMs: 40,
  webhookMs: 400,
  smallGb: 0.5,
  /** A client asks for the list and the run: POST, two GETs and one list. */
  apiRequests: 4,
  /** CloudWatch's own lines about an execution, and an access log's entry. */
  systemLogBytes: 900,
  accessLogBytes: 350,
  /** A queue's own requests for each message: receive, delete. */
  requestsPerMessage: 2,
  /** X-Ray's default rule: the first execution of each second, and a share of the others. */
  traced: { perSecond: 1, ofOthers: 0.05 },
  keptMonths: 3,
  bytesStoredPerRun: 6_000,
};

/** What runs when nothing happens: a sweep each minute, and the queues' pollers. */
const idle = { sweeps: 30 * 24 * 60, sweepMs: 60, pollsPerQueue: 5 * 3 * 60 * 24 * 30, queues: 3 };

/** What people do in the console in a month, each of whom watches runs for an hour on each working day. */
const inConsole = {
  people: 10,
  /** For the run and for its log, the page asks each second at first, and every 5 seconds after 5 minutes. */
  requests: 20 * 2 * 830,
  bytesPerRequest: 5_000,
  /** Pages that are loaded from an address; the rest is navigation inside of them. */
  loads: 20 * 5,
  bytesPerLoad: 100_000,
  bytesStored: 1e6,
};

const usage = await measureRun({ pages: PAGES, rows: ROWS });

interface Line {
  service: string;
  usd: number;
  afterFree: number;
}

function bill(runs: number): Line[] {
  const beyond = (amount: number, given: number, price: number) => Math.max(0, amount - given) * price;
  const gb = (bytes: number) => bytes / 1e9;
  const executorGbS = runs * (PAGES * assumed.secondsPerPage + assumed.secondsPerRun) * assumed.executorGb;
  const smallMs =
    runs * (assumed.apiRequests * assumed.apiMs + assumed.webhookMs) + idle.sweeps * idle.sweepMs;
  const smallGbS = (smallMs / 1000) * assumed.smallGb;
  const invocations = runs * (assumed.apiRequests + 2) + idle.sweeps;
  const lambda =
    executorGbS * prices.lambdaX86GbSecond +
    smallGbS * prices.lambdaArmGbSecond +
    invocations * prices.lambdaRequest;
  // Free GB-seconds go to the dearer ones first.
  const leftGbS = Math.max(0, free.lambdaGbSeconds - executorGbS);
  const lambdaAfterFree =
    beyond(executorGbS, free.lambdaGbSeconds, prices.lambdaX86GbSecond) +
    beyond(smallGbS, leftGbS, prices.lambdaArmGbSecond) +
    beyond(invocations, free.lambdaRequests, prices.lambdaRequest);

  const api = runs * assumed.apiRequests * prices.apiRequest;
  const capacity =
    runs * (usage.writeUnits * prices.dynamoWriteUnit + usage.readUnits * prices.dynamoReadUnit) +
    idle.sweeps * 1 * prices.dynamoReadUnit;
  const storedGb = gb(runs * assumed.keptMonths * assumed.bytesStoredPerRun);
  const backup = storedGb * prices.dynamoBackupGbMonth;
  const requests =
    runs * usage.messages * (1 + assumed.requestsPerMessage) + idle.queues * idle.pollsPerQueue;
  const groups = runs * usage.messages * prices.sqsGroup;
  const logGb = gb(
    runs * (usage.logBytes + (assumed.apiRequests + 2) * assumed.systemLogBytes) +
      runs * assumed.apiRequests * assumed.accessLogBytes +
      idle.sweeps * (assumed.systemLogBytes + 300),
  );
  const metrics = runs > 0 ? 20 : 1;
  // Spread evenly over the month, which gives the most traces.
  const first = Math.min(invocations, SECONDS_A_MONTH * assumed.traced.perSecond);
  const traces = first + (invocations - first) * assumed.traced.ofOthers;
  const out = gb(runs * usage.bytesOut);
  const line = (service: string, usd: number, afterFree: number): Line => ({ service, usd, afterFree });
  return [
    line("Lambda", lambda, lambdaAfterFree),
    line("API Gateway", api, api),
    line("DynamoDB, requests", capacity, capacity),
    line(
      "DynamoDB, storage and backup",
      storedGb * prices.dynamoGbMonth + backup,
      beyond(storedGb, free.dynamoGb, prices.dynamoGbMonth) + backup,
    ),
    line(
      "SQS",
      requests * prices.sqsRequest + groups,
      beyond(requests, free.sqsRequests, prices.sqsRequest) + groups,
    ),
    line(
      "CloudWatch logs",
      logGb * (prices.logGb + prices.logGbMonth),
      beyond(logGb, free.logGb, prices.logGb + prices.logGbMonth),
    ),
    line(
      "CloudWatch metrics",
      metrics * prices.metricMonth,
      beyond(metrics, free.metrics, prices.metricMonth),
    ),
    line("X-Ray", traces * prices.trace, beyond(traces, free.traces, prices.trace)),
    line("Traffic out", out * prices.trafficGb, beyond(out, free.trafficGb, prices.trafficGb)),
  ];
}

/** The console's bill: that of CloudFront and S3, and that of the API for the requests of its pages. */
function consoleBill() {
  const { people, requests, loads } = inConsole;
  const beyond = (amount: number, given: number, price: number) => Math.max(0, amount - given) * price;
  const calls = people * requests;
  const sent = (people * (requests * inConsole.bytesPerRequest + loads * inConsole.bytesPerLoad)) / 1e9;
  // A page has fewer than 20 files, and all but one are in the browser's cache after the first time.
  const viaCloudFront = calls + people * loads * 20;
  const apiSeconds = (calls * assumed.apiMs) / 1000;
  const table = prices.dynamoWriteUnit + 2 * prices.dynamoReadUnit;
  const api =
    calls * (prices.apiRequest + prices.lambdaRequest + table) +
    apiSeconds * assumed.smallGb * prices.lambdaArmGbSecond;
  const stored = (inConsole.bytesStored / 1e9) * prices.s3GbMonth;
  const listed =
    viaCloudFront * prices.cloudFrontRequest +
    people * loads * prices.cloudFrontFunction +
    sent * prices.cloudFrontGb;
  const afterFree =
    beyond(viaCloudFront, free.cloudFrontRequests, prices.cloudFrontRequest) +
    beyond(people * loads, free.cloudFrontFunctions, prices.cloudFrontFunction) +
    beyond(sent, free.cloudFrontGb, prices.cloudFrontGb);
  return { listed: listed + stored, afterFree: afterFree + stored, api };
}

const usd = (amount: number) =>
  amount < 1000 ? amount.toFixed(2) : Math.round(amount).toLocaleString("en-US");
const plain = { style: { head: [], border: [] } };

console.log(`One run of ${PAGES} pages and ${ROWS} rows, measured: ${JSON.stringify(usage)}`);
const measured = async (more: { isPaced: boolean } | { isKeyed: boolean }) =>
  JSON.stringify(await measureRun({ pages: PAGES, rows: ROWS, ...more }));
console.log(`The same with delay_ms: ${await measured({ isPaced: true })}`);
console.log(`The same with a key, compared with the run before: ${await measured({ isKeyed: true })}\n`);
const bills = RUNS_A_MONTH.map(bill);
const table = new Table({
  head: ["USD a month", ...RUNS_A_MONTH.map((runs) => `${runs.toLocaleString("en-US")} runs`)],
  colAligns: ["left", "right", "right", "right", "right"],
  ...plain,
});
for (const [index, { service }] of (bills[0] ?? []).entries()) {
  table.push([service, ...bills.map((lines) => usd(lines[index]?.usd ?? 0))]);
}
const total = (key: "usd" | "afterFree") =>
  bills.map((lines) => usd(lines.reduce((sum, line) => sum + line[key], 0)));
table.push(["Total at list prices", ...total("usd")]);
table.push(["Total after the always-free tier", ...total("afterFree")]);
for (const { name, unitsPerRun, plans } of peers(PAGES)) {
  const cheapest = RUNS_A_MONTH.map((runs) =>
    Math.min(
      ...plans.map((plan) => {
        const more = Math.max(0, runs * unitsPerRun - plan.units);
        return plan.usd + (more > 0 ? more * plan.usdPerMore : 0);
      }),
    ),
  );
  table.push([name, ...cheapest.map(usd)]);
}
console.log(table.toString());

const { listed, afterFree, api } = consoleBill();
console.log(
  `The console for ${inConsole.people} people: ${usd(listed)} for CloudFront and S3 (after what is free: ${usd(afterFree)}), ` +
    `${usd(api)} for its requests to the API`,
);
