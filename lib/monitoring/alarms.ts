import { Duration } from "aws-cdk-lib";
import {
  Alarm,
  type AlarmProps,
  ComparisonOperator,
  MathExpression,
  Metric,
  TreatMissingData,
} from "aws-cdk-lib/aws-cloudwatch";
import { SnsAction } from "aws-cdk-lib/aws-cloudwatch-actions";
import type { ITopic } from "aws-cdk-lib/aws-sns";
import { Construct } from "constructs";
import type { Api } from "../api/api.ts";
import type { Batches } from "../batches.ts";
import type { Executor } from "../executor.ts";
import type { Schedules } from "../schedules.ts";
import type { ServiceTable } from "../service-table.ts";
import type { Webhooks } from "../webhooks.ts";
import type { ServiceMetrics } from "./metrics.ts";

/** The minimum number of runs per hour for a meaningful failure rate. */
const ENOUGH_RUNS = 20;

/** The constructs that the alarms and the dashboard watch. */
export interface Watched {
  api: Api;
  executor: Executor;
  webhooks: Webhooks;
  batches: Batches;
  schedules: Schedules;
  table: ServiceTable;
}

/**
 * When an alarm sends its notification: in the state ALARM and, with `onSilence`, also if its metric has no more data.
 */
type Condition = Pick<AlarmProps, "metric" | "threshold"> &
  Partial<Pick<AlarmProps, "comparisonOperator" | "evaluationPeriods" | "treatMissingData">> & {
    onSilence?: true;
  };

/**
 * All alarms. The description of each one links to its runbook. They use 14 metrics; CloudWatch's free tier has
 * ten.
 */
export class Alarms extends Construct {
  readonly all: Alarm[] = [];
  readonly serverErrors: Alarm;
  readonly #topic: ITopic | undefined;

  constructor(scope: Construct, id: string, watched: Watched, metrics: ServiceMetrics, topic?: ITopic) {
    super(scope, id);
    this.#topic = topic;
    const { api, executor, webhooks, batches, schedules, table } = watched;
    const queues = { Runs: executor.runs, Webhooks: webhooks.webhooks, Batches: batches.batches };

    for (const [name, { deadLetters }] of Object.entries({ ...queues, Schedules: schedules })) {
      const kind = name === "Schedules" ? "could not be started" : "failed repeatedly";
      this.#add(`${name}DeadLetters`, "dead-letters", `Messages of the ${name.toLowerCase()} ${kind}`, {
        metric: deadLetters.metricApproximateNumberOfMessagesVisible({ period: Duration.minutes(5) }),
        threshold: 1,
      });
    }
    for (const [name, { queue }] of Object.entries(queues)) {
      this.#add(
        `${name}Waiting`,
        "oldest-message",
        `The oldest message of the ${name.toLowerCase()} queue has waited for half an hour`,
        {
          metric: queue.metricApproximateAgeOfOldestMessage({ period: Duration.minutes(5) }),
          threshold: Duration.minutes(30).toSeconds(),
        },
      );
    }
    this.#add("FailureRate", "failure-rate", "More than half of the runs of an hour failed", {
      metric: new MathExpression({
        expression: `IF(FILL(failed, 0) + FILL(successful, 0) >= ${ENOUGH_RUNS}, 100 * FILL(failed, 0) / (FILL(failed, 0) + FILL(successful, 0)), 0)`,
        usingMetrics: { failed: metrics.failed, successful: metrics.successful },
        period: Duration.hours(1),
        label: "failed, %",
      }),
      threshold: 50,
      comparisonOperator: ComparisonOperator.GREATER_THAN_THRESHOLD,
    });
    this.#add(
      "Throttles",
      "throttles",
      "Lambda throttled invocations: the account's concurrency is used up",
      {
        // Across all functions, because they share the account's concurrency.
        metric: new Metric({
          namespace: "AWS/Lambda",
          metricName: "Throttles",
          statistic: "Sum",
          period: Duration.minutes(5),
        }),
        threshold: 1,
        evaluationPeriods: 3,
      },
    );
    this.serverErrors = this.#add("ServerErrors", "server-errors", "The API answered with 5xx", {
      metric: api.restApi.metricServerError({ statistic: "Sum", period: Duration.minutes(5) }),
      threshold: 3,
    });
    this.#add("TableThrottles", "table-throttles", "DynamoDB throttled requests", {
      metric: new MathExpression({
        expression: "FILL(writes, 0) + FILL(reads, 0)",
        usingMetrics: {
          writes: table.table.metric("WriteThrottleEvents", { statistic: "Sum" }),
          reads: table.table.metric("ReadThrottleEvents", { statistic: "Sum" }),
        },
        period: Duration.minutes(5),
        label: "throttled requests",
      }),
      threshold: 1,
      evaluationPeriods: 3,
    });
    this.#add("NoSweeps", "no-sweeps", "No sweep has finished for ten minutes", {
      metric: metrics.sweeps.with({ period: Duration.minutes(1) }),
      threshold: 1,
      comparisonOperator: ComparisonOperator.LESS_THAN_THRESHOLD,
      evaluationPeriods: 10,
      // A new alarm has no data. It goes off only if there was data and no more arrives.
      treatMissingData: TreatMissingData.MISSING,
      onSilence: true,
    });
  }

  #add(id: string, runbook: string, description: string, { onSilence, ...condition }: Condition): Alarm {
    const alarm = new Alarm(this, id, {
      alarmDescription: `${description}. What to do: docs/runbooks.md#${runbook}`,
      comparisonOperator: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
      evaluationPeriods: 1,
      treatMissingData: TreatMissingData.NOT_BREACHING,
      ...condition,
    });
    if (this.#topic !== undefined) {
      alarm.addAlarmAction(new SnsAction(this.#topic));
      if (onSilence) alarm.addInsufficientDataAction(new SnsAction(this.#topic));
    }
    this.all.push(alarm);
    return alarm;
  }
}
