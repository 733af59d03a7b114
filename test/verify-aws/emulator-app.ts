import { App } from "aws-cdk-lib";
import { CfnAlarm } from "aws-cdk-lib/aws-cloudwatch";
import { CfnBucketPolicy } from "aws-cdk-lib/aws-s3";
import { readConfig } from "../../lib/config.ts";
import { GleanerStack } from "../../lib/gleaner-stack.ts";

/** The stack of bin/cdk.ts with the console, without what MiniStack lacks. */
const app = new App();
const config = readConfig(app.node);
const stack = new GleanerStack(app, "gleaner-prod", {
  config: {
    ...config,
    console: true,
    retention: { ...config.retention, table: "delete" },
    allowHosts: (process.env.ALLOW_HOSTS ?? "").split(","),
  },
});
for (const policy of stack.node.findAll()) {
  // MiniStack takes the requests of its own CloudFront to its own S3 for plain ones.
  if (policy instanceof CfnBucketPolicy)
    policy.addPropertyOverride("PolicyDocument.Statement.0.Condition.Bool", {
      "aws:SecureTransport": "unknown",
    });
}
// Its CloudFormation has no alarms on several metrics.
for (const alarm of stack.node.findAll()) {
  if (!(alarm instanceof CfnAlarm) || alarm.metrics === undefined) continue;
  alarm.addPropertyDeletionOverride("Metrics");
  for (const [name, value] of Object.entries({
    Namespace: "Gleaner",
    MetricName: alarm.node.id,
    Statistic: "Sum",
    Period: 300,
  }))
    alarm.addPropertyOverride(name, value);
}
