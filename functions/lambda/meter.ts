import { Metrics, MetricUnit } from "@aws-lambda-powertools/metrics";
import type { Meter } from "../meter.ts";

const metrics = new Metrics();

/** One more sweep that came to its end: the alarm is for when there are none. */
export const sweepFinished = () => {
  metrics.singleMetric().addMetric("Sweeps", MetricUnit.Count, 1);
};

/** One more of something, by what tells it from others. Each value of a dimension is a metric that is paid for. */
function count(name: string, dimension: string, value: string): void {
  metrics.singleMetric().addDimension(dimension, value).addMetric(name, MetricUnit.Count, 1);
}

/** Writes CloudWatch metrics to the log at once: a function that dies a moment later has still counted. */
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
