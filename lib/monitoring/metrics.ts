import { Duration } from "aws-cdk-lib";
import { Metric } from "aws-cdk-lib/aws-cloudwatch";

/** The custom metrics of the service. functions/lambda/bindings/meter.ts writes them. */
export function serviceMetrics(service: string) {
  const metric = (
    metricName: string,
    dimensions: Record<string, string> = {},
    statistic = "Sum",
    label = metricName,
  ) =>
    new Metric({
      namespace: "Gleaner",
      metricName,
      dimensionsMap: { service, ...dimensions },
      statistic,
      label,
      period: Duration.minutes(5),
    });
  return {
    started: ["api", "scheduler", "app", "integration"].map((source) =>
      metric("RunsStarted", { source }, "Sum", source),
    ),
    successful: metric("RunsFinished", { outcome: "successful" }, "Sum", "successful"),
    failed: metric("RunsFinished", { outcome: "failed" }, "Sum", "failed"),
    /** A search expression with one metric for each error code. */
    failedByCode: `SEARCH('{Gleaner,code,service} MetricName="RunsFailed" service="${service}"', 'Sum', 300)`,
    duration: ["p50", "p90", "Maximum"].map((statistic) => metric("RunDuration", {}, statistic, statistic)),
    pages: metric("RunPages", {}, "Sum", "pages"),
    credits: metric("RunCredits", {}, "Sum", "credits"),
    rows: metric("RunRows", {}, "Sum", "rows"),
    webhooks: ["delivered", "failed", "given_up"].map((outcome) =>
      metric("WebhookAttempts", { outcome }, "Sum", outcome),
    ),
    sweeps: metric("Sweeps"),
  };
}
export type ServiceMetrics = ReturnType<typeof serviceMetrics>;
