import { CfnWebACL, CfnWebACLAssociation } from "aws-cdk-lib/aws-wafv2";
import { Construct } from "constructs";

export interface ApiFirewallProps {
  stageArn: string;
}

/** Requests from one address in five minutes. The limit of a key is lower, so only floods of invalid keys exceed this. */
const REQUESTS_PER_ADDRESS = 3_000;

/**
 * Blocks floods and addresses with a bad reputation. It has no rules for bodies, because step overrides contain addresses
 * and form values that look like attacks.
 */
export class ApiFirewall extends Construct {
  constructor(scope: Construct, id: string, { stageArn }: ApiFirewallProps) {
    super(scope, id);
    const visible = (metricName: string) => ({
      metricName,
      cloudWatchMetricsEnabled: true,
      sampledRequestsEnabled: false,
    });
    const acl = new CfnWebACL(this, "Rules", {
      scope: "REGIONAL",
      defaultAction: { allow: {} },
      visibilityConfig: visible("Firewall"),
      rules: [
        {
          name: "flood",
          priority: 1,
          action: { block: {} },
          statement: { rateBasedStatement: { limit: REQUESTS_PER_ADDRESS, aggregateKeyType: "IP" } },
          visibilityConfig: visible("FirewallFlood"),
        },
        {
          name: "reputation",
          priority: 2,
          overrideAction: { none: {} },
          statement: {
            managedRuleGroupStatement: { vendorName: "AWS", name: "AWSManagedRulesAmazonIpReputationList" },
          },
          visibilityConfig: visible("FirewallReputation"),
        },
      ],
    });
    new CfnWebACLAssociation(this, "Association", { resourceArn: stageArn, webAclArn: acl.attrArn });
  }
}
