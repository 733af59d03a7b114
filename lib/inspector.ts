import { Duration } from "aws-cdk-lib";
import { Architecture } from "aws-cdk-lib/aws-lambda";
import { Construct } from "constructs";
import type { ExecutorProps } from "./executor.ts";
import { ServiceFunction } from "./service-function.ts";

/** The time limit of an inspection (60 s), and some time for the start of the function. */
export const INSPECTION_TIMEOUT = Duration.seconds(75);

export interface InspectorProps extends Omit<ExecutorProps, "concurrency"> {
  /**
   * The reserved concurrency of inspections, which runs can't use, and inspections can't exceed; null for no
   * reservation.
   */
  concurrency: number | null;
}

/**
 * The Lambda function with Chromium that runs inspections. It has no queue, because the client waits for the result:
 * the API route invokes it directly. If its concurrency is used up, the route tells the client to retry.
 */
export class Inspector extends Construct {
  readonly fn: ServiceFunction;

  constructor(scope: Construct, id: string, props: InspectorProps) {
    super(scope, id);
    const { concurrency, proxiesParameterArn, ...rest } = props;
    this.fn = new ServiceFunction(this, "ExecuteInspection", {
      ...rest,
      entry: "execute-inspection",
      description: "Does inspections in a headless browser",
      architecture: Architecture.X86_64,
      timeout: INSPECTION_TIMEOUT,
      ...(concurrency !== null && { reservedConcurrentExecutions: concurrency }),
      addFiles: "unpack-browser.ts",
    });
    if (proxiesParameterArn !== undefined) this.fn.allow(["ssm:GetParameter"], [proxiesParameterArn]);
  }

  /** Gives a function the name of the inspector, and permission to invoke it. */
  grantInvoke(fn: ServiceFunction): void {
    fn.allow(["lambda:InvokeFunction"], [this.fn.functionArn]);
    fn.addEnvironment("INSPECTOR_FUNCTION", this.fn.functionName);
  }
}
