import { Duration } from "aws-cdk-lib";
import { Rule, Schedule } from "aws-cdk-lib/aws-events";
import { LambdaFunction } from "aws-cdk-lib/aws-events-targets";
import { Construct } from "constructs";
import { ServiceFunction, type ServiceFunctionProps } from "./service-function.ts";

export type SweeperProps = Pick<ServiceFunctionProps, "serviceName" | "logDays">;

/** A function that handles overdue runs and schedules every minute. */
export class Sweeper extends Construct {
  readonly fn: ServiceFunction;

  constructor(scope: Construct, id: string, props: SweeperProps) {
    super(scope, id);
    this.fn = new ServiceFunction(this, "Sweep", {
      ...props,
      entry: "sweep",
      description: "Moves on the runs that got stuck",
      // A longer sweep would overlap the next one.
      timeout: Duration.seconds(55),
      memorySize: 512,
    });
    // The next sweep handles everything that this one missed, so a failed sweep needs no retry: neither by EventBridge,
    // if it can't reach Lambda, nor by Lambda, if the function fails or is throttled.
    const failures = { retryAttempts: 0, maxEventAge: Duration.minutes(1) };
    this.fn.configureAsyncInvoke(failures);
    new Rule(this, "EachMinute", {
      description: "Starts the sweeper",
      schedule: Schedule.rate(Duration.minutes(1)),
      targets: [new LambdaFunction(this.fn, failures)],
    });
  }
}
