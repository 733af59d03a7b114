import { App } from "aws-cdk-lib";
import { CfnAlarm } from "aws-cdk-lib/aws-cloudwatch";
import { CfnBucketPolicy } from "aws-cdk-lib/aws-s3";
import { Construct } from "constructs";
import { readConfig } from "../../lib/config.ts";
import { GleanerStack } from "../../lib/gleaner-stack.ts";
import { variants } from "./variants.ts";

/** The stack of bin/cdk.ts in several variants, without what MiniStack lacks. They share the functions' files. */
const app = new App();
const allowHosts = (process.env.ALLOW_HOSTS ?? "").split(",");
for (const [id, settings] of Object.entries(variants)) {
  const { node } = new Construct(app, `${id}-settings`);
  node.setContext("gleaner", { ...settings, allowHosts });
  adapt(new GleanerStack(app, id, { stackName: "gleaner-prod", config: readConfig(node) }));
}

function adapt(stack: GleanerStack): void {
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
}
