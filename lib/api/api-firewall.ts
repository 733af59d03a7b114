import { CfnWebACL, CfnWebACLAssociation } from "aws-cdk-lib/aws-wafv2";
import { Construct } from "constructs";

export interface ApiFirewallProps {
  stageArn: string;
}

/**
 * The limit of requests from one IP address in five minutes. Each API key has a lower limit, so only floods exceed
 * this.
 */
const REQUESTS_PER_ADDRESS = 3_000;

/**
 * A web application firewall that blocks floods, and IP addresses with a bad reputation. It does not check request
 * bodies, because step overrides contain URLs and form values that may look like attacks.
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
