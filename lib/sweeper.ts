import { Duration } from "aws-cdk-lib";
import { Rule, Schedule } from "aws-cdk-lib/aws-events";
import { LambdaFunction } from "aws-cdk-lib/aws-events-targets";
import { Construct } from "constructs";
import { ServiceFunction, type ServiceFunctionProps } from "./service-function.ts";

export type SweeperProps = Pick<ServiceFunctionProps, "serviceName" | "logDays">;

/** Each minute, moves on what should have moved on and did not. */
export class Sweeper extends Construct {
  readonly fn: ServiceFunction;

  constructor(scope: Construct, id: string, props: SweeperProps) {
    super(scope, id);
    this.fn = new ServiceFunction(this, "Sweep", {
      ...props,
      entry: "sweep",
      description: "Moves on the runs that got stuck",
      // A sweep that takes longer than a minute would only meet the next one.
      timeout: Duration.seconds(55),
      memorySize: 512,
    });
    new Rule(this, "EachMinute", {
      description: "Starts the sweeper",
      schedule: Schedule.rate(Duration.minutes(1)),
      // The next minute's sweep finds whatever this one left, so there is nothing to try again or keep.
      targets: [new LambdaFunction(this.fn, { retryAttempts: 0, maxEventAge: Duration.minutes(1) })],
    });
  }
}
