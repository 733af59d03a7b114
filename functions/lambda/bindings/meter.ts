import { Metrics, MetricUnit } from "@aws-lambda-powertools/metrics";
import type { Meter } from "../../meter.ts";

const metrics = new Metrics();

/** Counts a finished sweep. An alarm watches for the absence of this metric. */
export const sweepFinished = () => {
  metrics.singleMetric().addMetric("Sweeps", MetricUnit.Count, 1);
};

/** Counts an event by one dimension. CloudWatch bills each value of the dimension as one metric. */
function count(name: string, dimension: string, value: string): void {
  metrics.singleMetric().addDimension(dimension, value).addMetric(name, MetricUnit.Count, 1);
}

/** Writes CloudWatch metrics to the log at once, so that they survive if the function dies a moment later. */
export const meter: Meter = {
  runStarted: (source) => count("RunsStarted", "source", source),
  runFinished({ code, durationMs, rows, pages, credits }) {
    count("RunsFinished", "outcome", code === undefined ? "successful" : "failed");
    if (code !== undefined) count("RunsFailed", "code", code);
    metrics.addMetric("RunDuration", MetricUnit.Milliseconds, durationMs);
    metrics.addMetric("RunRows", MetricUnit.Count, rows);
    metrics.addMetric("RunPages", MetricUnit.Count, pages);
    metrics.addMetric("RunCredits", MetricUnit.Count, credits);
    metrics.publishStoredMetrics();
  },
  webhookAttempted: (outcome) => count("WebhookAttempts", "outcome", outcome),
};
