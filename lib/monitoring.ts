import { Stack } from "aws-cdk-lib";
import {
  AlarmStatusWidget,
  Dashboard,
  GraphWidget,
  type IMetric,
  MathExpression,
  PeriodOverride,
} from "aws-cdk-lib/aws-cloudwatch";
import { Topic } from "aws-cdk-lib/aws-sns";
import { EmailSubscription } from "aws-cdk-lib/aws-sns-subscriptions";
import { Construct } from "constructs";
import { Alarms } from "./alarms.ts";
import type { Api } from "./api.ts";
import type { Executor } from "./executor.ts";
import { serviceMetrics } from "./metrics.ts";
import type { Schedules } from "./schedules.ts";
import type { ServiceTable } from "./service-table.ts";
import type { Sweeper } from "./sweeper.ts";
import type { Webhooks } from "./webhooks.ts";

/** What there is to watch. */
export interface Watched {
  api: Api;
  executor: Executor;
  webhooks: Webhooks;
  schedules: Schedules;
  sweeper: Sweeper;
  table: ServiceTable;
}

export interface MonitoringProps extends Watched {
  serviceName: string;
  /** Who gets an e-mail from every alarm. */
  alarmEmail?: string | undefined;
}

/** One dashboard, and an alarm for each thing that a person has to look at. */
export class Monitoring extends Construct {
  readonly dashboardUrl: string;

  constructor(scope: Construct, id: string, { serviceName, alarmEmail, ...watched }: MonitoringProps) {
    super(scope, id);
    const metrics = serviceMetrics(serviceName);
    const alarms = new Alarms(this, "Alarms", watched, metrics, this.#topic(alarmEmail));
    const { api, executor, webhooks, table } = watched;

    const graph = (title: string, left: IMetric[], right: IMetric[] = []) =>
      new GraphWidget({ title, left, right, width: 8, height: 6, leftYAxis: { min: 0 } });
    const failedByCode = new MathExpression({
      expression: metrics.failedByCode,
      label: "",
    });
    const dashboard = new Dashboard(this, "Dashboard", {
      dashboardName: serviceName,
      periodOverride: PeriodOverride.AUTO,
      widgets: [
        [new AlarmStatusWidget({ title: "Alarms", alarms: alarms.all, width: 24, height: 3 })],
        [
          graph("Runs started, by source", metrics.started),
          graph("Runs finished", [metrics.successful, metrics.failed]),
          graph("Failed runs, by code", [failedByCode]),
        ],
        [
          graph("Duration of runs, ms", metrics.duration),
          graph("Pages and credits; rows on the right", [metrics.pages, metrics.credits], [metrics.rows]),
          graph("Webhook attempts, by outcome", metrics.webhooks),
        ],
        [
          graph(
            "Oldest message, s",
            [executor.runs, webhooks.webhooks].map(({ queue }) =>
              queue.metricApproximateAgeOfOldestMessage(),
            ),
          ),
          graph(
            "Messages waiting",
            [executor.runs, webhooks.webhooks].map(({ queue }) =>
              queue.metricApproximateNumberOfMessagesVisible(),
            ),
          ),
          graph(
            "Executions at a time; their errors on the right",
            [executor.fn.metric("ConcurrentExecutions", { statistic: "Maximum" })],
            [executor.fn.metricErrors()],
          ),
        ],
        [
          graph("API requests and errors", [
            api.restApi.metricCount(),
            api.restApi.metricClientError(),
            api.restApi.metricServerError(),
          ]),
          graph(
            "API latency, ms",
            ["p50", "p99"].map((statistic) => api.restApi.metricLatency({ statistic, label: statistic })),
          ),
          graph("Table: capacity used", [
            table.table.metricConsumedReadCapacityUnits(),
            table.table.metricConsumedWriteCapacityUnits(),
          ]),
        ],
      ],
    });
    const { region } = Stack.of(this);
    this.dashboardUrl = `https://${region}.console.aws.amazon.com/cloudwatch/home?region=${region}#dashboards:name=${dashboard.dashboardName}`;
  }

  #topic(email: string | undefined): Topic | undefined {
    if (email === undefined) return undefined;
    const topic = new Topic(this, "Topic", { enforceSSL: true });
    topic.addSubscription(new EmailSubscription(email));
    return topic;
  }
}
