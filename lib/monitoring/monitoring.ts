import { Stack } from "aws-cdk-lib";
import {
  AlarmStatusWidget,
  Dashboard,
  GraphWidget,
  type IAlarm,
  type IMetric,
  type IWidget,
  MathExpression,
  PeriodOverride,
} from "aws-cdk-lib/aws-cloudwatch";
import { ServicePrincipal } from "aws-cdk-lib/aws-iam";
import { Topic } from "aws-cdk-lib/aws-sns";
import { EmailSubscription } from "aws-cdk-lib/aws-sns-subscriptions";
import { Construct } from "constructs";
import { Alarms, type Watched } from "./alarms.ts";
import { type ServiceMetrics, serviceMetrics } from "./metrics.ts";

export interface MonitoringProps extends Watched {
  serviceName: string;
  /** The email address to notify when an alarm goes off. */
  alarmEmail?: string | undefined;
}

/** One dashboard, and an alarm for each problem that an operator has to solve. */
export class Monitoring extends Construct {
  readonly dashboardUrl: string;
  /** The alarm for API responses with a status of 500 or more. */
  readonly serverErrors: IAlarm;

  constructor(scope: Construct, id: string, { serviceName, alarmEmail, ...watched }: MonitoringProps) {
    super(scope, id);
    const metrics = serviceMetrics(serviceName);
    const alarms = new Alarms(this, "Alarms", watched, metrics, this.#topic(alarmEmail));
    this.serverErrors = alarms.serverErrors;
    const { region } = Stack.of(this);
    const dashboard = new Dashboard(this, "Dashboard", {
      // Names of dashboards must be unique in the account, across all regions.
      dashboardName: `${serviceName}-${region}`,
      periodOverride: PeriodOverride.AUTO,
      widgets: [
        [new AlarmStatusWidget({ title: "Alarms", alarms: alarms.all, width: 24, height: 3 })],
        ...runGraphs(metrics),
        queueGraphs(watched),
        apiAndTableGraphs(watched),
      ],
    });
    this.dashboardUrl = `https://${region}.console.aws.amazon.com/cloudwatch/home?region=${region}#dashboards:name=${dashboard.dashboardName}`;
  }

  #topic(email: string | undefined): Topic | undefined {
    if (email === undefined) return undefined;
    const topic = new Topic(this, "Topic", { enforceSSL: true });
    // A topic policy replaces the default, which lets everything of this account publish. So alarms need a permission.
    const conditions = { StringEquals: { "aws:SourceAccount": Stack.of(this).account } };
    topic.grantPublish(new ServicePrincipal("cloudwatch.amazonaws.com", { conditions }));
    topic.addSubscription(new EmailSubscription(email));
    return topic;
  }
}

const graph = (title: string, left: IMetric[], right: IMetric[] = []) =>
  new GraphWidget({ title, left, right, width: 8, height: 6, leftYAxis: { min: 0 } });

const runGraphs = (metrics: ServiceMetrics): IWidget[][] => [
  [
    graph("Runs started, by source", metrics.started),
    graph("Runs finished", [metrics.successful, metrics.failed]),
    graph("Failed runs, by code", [new MathExpression({ expression: metrics.failedByCode, label: "" })]),
  ],
  [
    graph("Duration of runs, ms", metrics.duration),
    graph("Pages and credits; rows on the right", [metrics.pages, metrics.credits], [metrics.rows]),
    graph("Webhook attempts, by outcome", metrics.webhooks),
  ],
];

function queueGraphs({ executor, webhooks, batches }: Watched): IWidget[] {
  const queues = [executor.runs.queue, webhooks.webhooks.queue, batches.batches.queue];
  return [
    graph(
      "Oldest message, s",
      queues.map((queue) => queue.metricApproximateAgeOfOldestMessage()),
    ),
    graph(
      "Messages waiting",
      queues.map((queue) => queue.metricApproximateNumberOfMessagesVisible()),
    ),
    graph(
      "Executions at a time; their errors on the right",
      [executor.fn.metric("ConcurrentExecutions", { statistic: "Maximum" })],
      [executor.fn.metricErrors()],
    ),
  ];
}

function apiAndTableGraphs({ api: { restApi }, table: { table } }: Watched): IWidget[] {
  return [
    graph("API requests and errors", [
      restApi.metricCount(),
      restApi.metricClientError(),
      restApi.metricServerError(),
    ]),
    graph(
      "API latency, ms",
      ["p50", "p99"].map((statistic) => restApi.metricLatency({ statistic, label: statistic })),
    ),
    graph("Table: capacity used", [
      table.metricConsumedReadCapacityUnits(),
      table.metricConsumedWriteCapacityUnits(),
    ]),
  ];
}
