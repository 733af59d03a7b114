import { Duration, RemovalPolicy, Stack, Validations } from "aws-cdk-lib";
import { PolicyStatement, Role, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import { ScheduleGroup } from "aws-cdk-lib/aws-scheduler";
import { Construct } from "constructs";
import { ServiceFunction, type ServiceFunctionProps } from "./service-function.ts";
import { DeadLetters } from "./work-queue.ts";

export type SchedulesProps = Pick<ServiceFunctionProps, "serviceName" | "logDays">;

/**
 * Where the schedules of scrapers live, and what each of them starts. The schedules themselves are made while the
 * service runs, one for each scheduled scraper.
 */
export class Schedules extends Construct {
  readonly group: ScheduleGroup;
  /** What EventBridge Scheduler acts as: it may start our target and set aside what could not be started. */
  readonly role: Role;
  readonly deadLetters: DeadLetters;
  readonly fn: ServiceFunction;

  constructor(scope: Construct, id: string, props: SchedulesProps) {
    super(scope, id);
    this.group = new ScheduleGroup(this, "Group", { scheduleGroupName: `${props.serviceName}-schedules` });
    // Its schedules start what goes with the stack, so they go too.
    this.group.applyRemovalPolicy(RemovalPolicy.DESTROY);
    this.deadLetters = new DeadLetters(this, "DeadLetters");
    Validations.of(this.deadLetters).acknowledge({
      id: "AwsSolutions-SQS3",
      reason: "It is the dead-letter queue of the schedules, which name it one by one when they are made.",
    });
    this.fn = new ServiceFunction(this, "StartScheduledRun", {
      ...props,
      entry: "start-scheduled-run",
      description: "Starts the runs of schedules",
      timeout: Duration.seconds(30),
      memorySize: 512,
    });
    this.role = new Role(this, "Role", {
      description: `${props.serviceName}: starts scheduled runs`,
      assumedBy: new ServicePrincipal("scheduler.amazonaws.com", {
        // Only for schedules of this group: no schedule of somebody else can borrow the role.
        conditions: {
          StringEquals: {
            "aws:SourceAccount": Stack.of(this).account,
            "aws:SourceArn": this.group.scheduleGroupArn,
          },
        },
      }),
    });
    this.role.addToPolicy(
      new PolicyStatement({ actions: ["lambda:InvokeFunction"], resources: [this.fn.functionArn] }),
    );
    this.deadLetters.grant(this.role, "sqs:SendMessage");
  }
}
