import { ArnFormat, Duration, RemovalPolicy, Stack, Validations } from "aws-cdk-lib";
import { PolicyStatement, Role, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import { ScheduleGroup } from "aws-cdk-lib/aws-scheduler";
import { Construct } from "constructs";
import { ServiceFunction, type ServiceFunctionProps } from "./service-function.ts";
import { DeadLetters } from "./work-queue.ts";

export type SchedulesProps = Pick<ServiceFunctionProps, "serviceName" | "logDays" | "environment">;

/**
 * The EventBridge group of the scrapers' schedules, and the function that the schedules invoke. The service creates the
 * schedules at run time, one for each scheduled scraper.
 */
export class Schedules extends Construct {
  readonly groupName: string;
  /**
   * The role of EventBridge Scheduler. It may invoke the function, and send failed invocations to the dead-letter
   * queue.
   */
  readonly role: Role;
  readonly deadLetters: DeadLetters;
  readonly fn: ServiceFunction;
  /**
   * ARN of the function, built from its name, because a reference in the function's own environment would be circular.
   */
  readonly targetArn: string;

  constructor(scope: Construct, id: string, props: SchedulesProps) {
    super(scope, id);
    this.groupName = `${props.serviceName}-schedules`;
    const group = new ScheduleGroup(this, "Group", { scheduleGroupName: this.groupName });
    // The schedules are useless without the stack's function, so the group is deleted with the stack.
    group.applyRemovalPolicy(RemovalPolicy.DESTROY);
    this.deadLetters = new DeadLetters(this, "DeadLetters");
    Validations.of(this.deadLetters).acknowledge({
      id: "AwsSolutions-SQS3",
      reason: "It is the dead-letter queue of the schedules, which name it one by one when they are made.",
    });
    const functionName = `${props.serviceName}-start-scheduled-run`;
    this.targetArn = Stack.of(this).formatArn({
      service: "lambda",
      resource: "function",
      resourceName: functionName,
      arnFormat: ArnFormat.COLON_RESOURCE_NAME,
    });
    this.fn = new ServiceFunction(this, "StartScheduledRun", {
      ...props,
      functionName,
      entry: "start-scheduled-run",
      description: "Starts the runs and batches of schedules",
      // A sitemap with inputs may take a minute.
      timeout: Duration.seconds(120),
      memorySize: 512,
    });
    // The sweep handles occurrences that are two minutes late, so Lambda need not retry them.
    this.fn.configureAsyncInvoke({ retryAttempts: 0, maxEventAge: Duration.minutes(2) });
    this.role = new Role(this, "Role", {
      description: `${props.serviceName}: starts scheduled runs`,
      assumedBy: new ServicePrincipal("scheduler.amazonaws.com", {
        // Only schedules of this group may use the role.
        conditions: {
          StringEquals: {
            "aws:SourceAccount": Stack.of(this).account,
            "aws:SourceArn": group.scheduleGroupArn,
          },
        },
      }),
    });
    this.role.addToPolicy(
      new PolicyStatement({ actions: ["lambda:InvokeFunction"], resources: [this.fn.functionArn] }),
    );
    this.deadLetters.grant(this.role, "sqs:SendMessage");
  }

  /**
   * Gives a function permission to create, change and delete schedules of the group, and the settings that this needs.
   */
  grantManage(fn: ServiceFunction): void {
    const actions = ["CreateSchedule", "UpdateSchedule", "DeleteSchedule"].map((name) => `scheduler:${name}`);
    const { partition, region, account } = Stack.of(this);
    const ofGroup = `schedule/${this.groupName}/*`;
    fn.allow(actions, [`arn:${partition}:scheduler:${region}:${account}:${ofGroup}`]);
    fn.acknowledge(
      `IAM5[Resource::arn:<AWS::Partition>:scheduler:<AWS::Region>:<AWS::AccountId>:${ofGroup}]`,
      "Schedules are named by their scrapers, which come and go while the service runs.",
    );
    fn.allow(["iam:PassRole"], [this.role.roleArn], {
      StringEquals: { "iam:PassedToService": "scheduler.amazonaws.com" },
    });
    fn.addEnvironment("SCHEDULE_GROUP", this.groupName);
    fn.addEnvironment("SCHEDULE_TARGET_ARN", this.targetArn);
    fn.addEnvironment("SCHEDULE_ROLE_ARN", this.role.roleArn);
    fn.addEnvironment("SCHEDULE_DEAD_LETTERS_ARN", this.deadLetters.queueArn);
  }
}
