import { CfnOutput, Stack, type StackProps } from "aws-cdk-lib";
import type { Construct } from "constructs";
import { KEYS } from "../functions/store/api-keys.ts";
import { EXECUTOR_PARTITIONS, INSPECTOR_WRITES } from "../functions/store/runs/run-keys.ts";
import { MEMORY_PARTITIONS } from "../functions/store/scraper-memory.ts";
import { ACCOUNTS, indexes } from "../functions/store/table.ts";
import { TICKETS } from "../functions/store/tickets.ts";
import { Api, type ApiProps } from "./api/api.ts";
import { aliasesOf, apiFunctions } from "./api/api-functions.ts";
import { Batches } from "./batches.ts";
import { type Config, concurrentExecutions } from "./config.ts";
import { Console } from "./console/console.ts";
import { Executor } from "./executor.ts";
import { Inspector } from "./inspector.ts";
import { Canary } from "./monitoring/canary.ts";
import { Monitoring } from "./monitoring/monitoring.ts";
import { Schedules } from "./schedules.ts";
import { SecretBroker } from "./secret-broker.ts";
import type { ServiceFunction } from "./service-function.ts";
import { ServiceTable, type TableAction } from "./service-table.ts";
import { Sweeper } from "./sweeper.ts";
import { Webhooks } from "./webhooks.ts";

export interface GleanerStackProps extends StackProps {
  config: Config;
}

/** The stack of the whole service. It has one construct for each capability. Only this file connects them. */
export class GleanerStack extends Stack {
  constructor(scope: Construct, id: string, { config, ...props }: GleanerStackProps) {
    super(scope, id, { description: "Gleaner, a web-scraping service", ...props });
    const { limits, retention, allowHosts } = config;
    const serviceName = `gleaner-${config.stage}`;
    const common = { serviceName, logDays: retention.logDays };
    const outside = allowHosts.length > 0 ? { ALLOW_HOSTS: allowHosts.join(",") } : {};

    const secretsPath = `/gleaner/${config.stage}/secrets`;

    const table = new ServiceTable(this, "Store", { retention, existing: config.table?.existing });
    const withBrowser = { ...common, ...this.#browserProps(config) };
    const executor = new Executor(this, "Executor", { ...withBrowser, concurrency: limits.concurrentRuns });
    const inspector = new Inspector(this, "Inspector", {
      ...withBrowser,
      concurrency: limits.concurrentInspections,
    });
    const secrets = new SecretBroker(this, "Secrets", { ...common, secretsPath });
    const webhooks = new Webhooks(this, "Webhooks", {
      ...common,
      concurrency: limits.concurrentWebhooks,
      environment: outside,
    });
    const batches = new Batches(this, "Batches", common);
    const sweeper = new Sweeper(this, "Sweeper", common);
    const schedules = new Schedules(this, "Schedules", { ...common, environment: outside });
    const functions = apiFunctions(this, table, { ...common, outside });
    const aliases = config.canary ? aliasesOf(functions) : undefined;
    const api = new Api(this, "Api", {
      ...common,
      functions: (aliases ?? functions) as ApiProps["functions"],
      requestsPerSecond: limits.requestsPerSecond,
      requestBurst: limits.requestBurst,
      domain: config.domain,
      firewall: config.firewall,
      logRole: config.apiGatewayLogRole,
    });

    grantAccess({ table, executor, inspector, secrets, webhooks, batches, sweeper, schedules, functions });
    functions.callMcp.addEnvironment("BASE_URL", api.baseUrl);
    this.#setMailServer(config, webhooks.fn, functions.createHook);
    if (retention.runDays !== null)
      setRunDays(retention.runDays, [functions.createRun, functions.createBatch, schedules.fn, sweeper.fn]);
    if (config.trace) for (const fn of [executor.fn, webhooks.fn]) fn.addEnvironment("GLEANER_TRACE", "1");

    const watched = { api, executor, webhooks, batches, schedules, table };
    const { alarmEmail } = config;
    const monitoring = new Monitoring(this, "Monitoring", { serviceName, alarmEmail, ...watched });
    if (aliases !== undefined)
      new Canary(this, "Canary", { serviceName, aliases, alarm: monitoring.serverErrors });

    if (config.console)
      this.#addConsole(new Console(this, "Console", { ...common, apiHost: api.host }), webhooks);

    this.#outputs({
      BaseUrl: ["Base URL of the API. Append the paths of the contract to it", api.baseUrl],
      FilesBucketName: ["The bucket with the files of runs", table.files.bucket.bucketName],
      TableName: ["The table with all data of the service", table.table.tableName],
      RunsQueueUrl: ["The queue of runs to execute", executor.runs.queue.queueUrl],
      WebhooksQueueUrl: ["The queue of webhooks to deliver", webhooks.webhooks.queue.queueUrl],
      ScheduleGroup: ["The group of the scrapers' schedules", schedules.groupName],
      ScheduleRoleArn: ["What a schedule acts as", schedules.role.roleArn],
      ScheduleTargetArn: ["What a schedule starts", schedules.targetArn],
      ScheduleDeadLettersArn: [
        "The dead-letter queue of scheduled runs that could not start",
        schedules.deadLetters.queueArn,
      ],
      SecretsPath: ["Where the accounts' secrets are, in SSM", secretsPath],
      ConcurrentExecutions: ["Functions executed at a time", String(concurrentExecutions(limits))],
      DashboardUrl: ["The dashboard", monitoring.dashboardUrl],
    });
  }

  /** Lets a function send alerts by the mail server, if there is one, and tells another one that they can be sent. */
  #setMailServer({ smtpParameter }: Config, sender: ServiceFunction, told: ServiceFunction): void {
    if (smtpParameter === undefined) return;
    sender.allow(["ssm:GetParameter"], [this.#parameterArn(smtpParameter)]);
    for (const fn of [sender, told]) fn.addEnvironment("SMTP_PARAMETER", smtpParameter);
  }

  /** Tells the address of the console to people, and to alerts. */
  #addConsole({ url }: Console, webhooks: Webhooks): void {
    webhooks.fn.addEnvironment("CONSOLE_URL", url);
    this.#outputs({ ConsoleUrl: ["The console", url] });
  }

  /** The common properties of the functions that run a browser. */
  #browserProps({ limits, allowHosts, proxiesParameter, userAgent }: Config) {
    return {
      memorySize: limits.executorMemory,
      environment: {
        ...(allowHosts.length > 0 && { ALLOW_HOSTS: allowHosts.join(",") }),
        ...(proxiesParameter && { PROXIES_PARAMETER: proxiesParameter }),
        ...(userAgent && { USER_AGENT: userAgent }),
      },
      proxiesParameterArn: proxiesParameter && this.#parameterArn(proxiesParameter),
    };
  }

  #outputs(outputs: Record<string, [description: string, value: string]>): void {
    for (const [name, [description, value]] of Object.entries(outputs))
      new CfnOutput(this, name, { description, value });
  }

  #parameterArn(name: string): string {
    return this.formatArn({ service: "ssm", resource: "parameter", resourceName: name.slice(1) });
  }
}

interface Parts {
  table: ServiceTable;
  executor: Executor;
  inspector: Inspector;
  secrets: SecretBroker;
  webhooks: Webhooks;
  batches: Batches;
  sweeper: Sweeper;
  schedules: Schedules;
  functions: ReturnType<typeof apiFunctions>;
}

type Senders = Omit<Parts, "table" | "inspector" | "secrets">;

const EXECUTOR_ACTIONS: TableAction[] = ["BatchGetItem", "GetItem", "PutItem", "Query", "UpdateItem"];
/** Patterns for the partitions with data that accounts own. The accounts themselves are in other partitions. */
const PARTS_OF_ACCOUNTS = [`${ACCOUNTS}*#*`];

/** Grants each function the access that it needs to the table, the schedules, the queues and other functions. */
function grantAccess({
  table,
  executor,
  inspector,
  secrets,
  webhooks,
  batches,
  sweeper,
  schedules,
  functions,
}: Parts): void {
  // The health check reads the item of an account with an empty name, which does not exist.
  table.grantPartitions(functions.getHealth, [ACCOUNTS], ["GetItem"]);
  // A transaction needs no permission of its own, but those for all its writes.
  table.grantPartitions(executor.fn, EXECUTOR_PARTITIONS, EXECUTOR_ACTIONS);
  table.grantPartitions(executor.fn, [`${ACCOUNTS}*`], ["GetItem"], PARTS_OF_ACCOUNTS);
  for (const fn of [executor.fn, functions.deleteScraper, functions.deleteSeen])
    table.grantPartitions(fn, [`${ACCOUNTS}*${MEMORY_PARTITIONS}`], ["DeleteItem"]);
  table.files.grantPut(executor.fn);
  table.files.grantRead(functions.getRunFiles);
  for (const fn of [functions.deleteRun, batches.fn, sweeper.fn]) table.files.grantDelete(fn);
  table.grantPartitions(secrets.fn, [`${TICKETS}*`], ["GetItem"]);
  secrets.grantAsk(executor.fn);
  table.grantPartitions(inspector.fn, INSPECTOR_WRITES, ["GetItem", "UpdateItem"]);
  secrets.grantAsk(inspector.fn);
  secrets.grantAsk(functions.putSession);
  secrets.grantAsk(webhooks.fn);
  table.grantPartitions(functions.callMcp, [`${KEYS}*`, `${ACCOUNTS}*`], ["GetItem"], PARTS_OF_ACCOUNTS);
  table.grantPartitions(functions.callMcp, [`${KEYS}*`], ["UpdateItem"]);
  inspector.grantInvoke(functions.createInspection);
  table.grant(batches.fn, ["BatchGetItem", "DeleteItem", "GetItem", "PutItem", "Query", "UpdateItem"]);
  table.grant(webhooks.fn, ["BatchGetItem", "GetItem", "PutItem", "Query", "UpdateItem"]);
  table.grant(
    sweeper.fn,
    ["BatchGetItem", "DeleteItem", "GetItem", "PutItem", "Query", "UpdateItem"],
    indexes.due,
    indexes.runsByScraper,
  );
  table.grant(
    schedules.fn,
    ["BatchGetItem", "GetItem", "PutItem", "Query", "UpdateItem"],
    indexes.runsByScraper,
  );
  const { createScraper, replaceScraper, deleteScraper } = functions;
  for (const fn of [schedules.fn, sweeper.fn, createScraper, replaceScraper, deleteScraper])
    schedules.grantManage(fn);
  grantQueues({ executor, webhooks, batches, sweeper, schedules, functions });
}

/** Grants each function access to the queues to which it sends. */
function grantQueues({ executor, webhooks, batches, sweeper, schedules, functions }: Senders): void {
  const { createRun, stopRun, resendRunWebhook, testHook, createBatch, stopBatch, deleteBatch, getHealth } =
    functions;
  for (const fn of [createRun, stopRun, schedules.fn, sweeper.fn, executor.fn, batches.fn])
    executor.runs.grantSend(fn);
  const ending = [executor.fn, webhooks.fn, sweeper.fn, batches.fn, schedules.fn];
  for (const fn of [...ending, stopRun, resendRunWebhook, testHook]) webhooks.webhooks.grantSend(fn);
  const ofBatches = [createBatch, stopBatch, deleteBatch, stopRun];
  for (const fn of [...ofBatches, executor.fn, sweeper.fn, batches.fn, schedules.fn])
    batches.batches.grantSend(fn);
  for (const queue of [executor.runs, webhooks.webhooks, batches.batches]) queue.grantCheck(getHealth);
}

/** Sets how many days a run is kept, for the functions that start runs. */
function setRunDays(days: number, functions: ServiceFunction[]): void {
  for (const fn of functions) fn.addEnvironment("RUN_DAYS", String(days));
}
