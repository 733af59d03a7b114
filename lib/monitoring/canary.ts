import { Validations } from "aws-cdk-lib";
import type { IAlarm } from "aws-cdk-lib/aws-cloudwatch";
import { LambdaApplication, LambdaDeploymentConfig, LambdaDeploymentGroup } from "aws-cdk-lib/aws-codedeploy";
import { Role, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import type { Alias } from "aws-cdk-lib/aws-lambda";
import { Construct } from "constructs";

export interface CanaryProps {
  serviceName: string;
  /** The aliases through which the functions are called. Each points to a version of its function. */
  aliases: Record<string, Alias>;
  /** When this alarm goes off, the new version is rolled back. */
  alarm: IAlarm;
}

/**
 * Canary deployments: a new version of each function gets a tenth of the requests for ten minutes, and then all of
 * them. If the alarm goes off, or a function can't be updated, all requests go to the previous version, and
 * CloudFormation rolls the stack back.
 */
export class Canary extends Construct {
  constructor(scope: Construct, id: string, { serviceName, aliases, alarm }: CanaryProps) {
    super(scope, id);
    const application = new LambdaApplication(this, "Application");
    const role = new Role(this, "Role", {
      description: `${serviceName}: moves requests to new versions of functions`,
      assumedBy: new ServicePrincipal("codedeploy.amazonaws.com"),
    });
    for (const alias of Object.values(aliases)) {
      new LambdaDeploymentGroup(this, alias.lambda.node.id, {
        application,
        role,
        alias,
        deploymentConfig: LambdaDeploymentConfig.CANARY_10PERCENT_10MINUTES,
        alarms: [alarm],
      });
    }
    Validations.of(role).acknowledge({
      id: "AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AWSCodeDeployRoleForLambdaLimited]",
      reason: "AWS's managed policy for this purpose is what CodeDeploy documents.",
    });
  }
}
