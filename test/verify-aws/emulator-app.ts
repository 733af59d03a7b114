import { App } from "aws-cdk-lib";
import { CfnAlarm } from "aws-cdk-lib/aws-cloudwatch";
import { readConfig } from "../../lib/config.ts";
import { GleanerStack } from "../../lib/gleaner-stack.ts";

/** The stack of bin/cdk.ts, without what MiniStack's CloudFormation lacks: alarms on several metrics. */
const app = new App();
const config = readConfig(app.node);
const stack = new GleanerStack(app, "gleaner-prod", {
  config: {
    ...config,
    retention: { ...config.retention, table: "delete" },
    allowHosts: (process.env.ALLOW_HOSTS ?? "").split(","),
  },
});
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
