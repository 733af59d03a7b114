import { Duration } from "aws-cdk-lib";
import { Architecture } from "aws-cdk-lib/aws-lambda";
import { Construct } from "constructs";
import { browserHooks } from "./browser-hooks.ts";
import type { ExecutorProps } from "./executor.ts";
import { ServiceFunction } from "./service-function.ts";

/** The budget of an inspection, and some time for the start of the function. */
export const INSPECTION_TIMEOUT = Duration.seconds(75);

export interface InspectorProps extends Omit<ExecutorProps, "concurrency"> {
  /** Concurrent inspections. They are reserved: runs can't take them, and inspections take none from runs. Null: no reservation. */
  concurrency: number | null;
}

/**
 * The Lambda function with Chromium that does inspections. Its client waits, so it has no queue: the route calls it, and
 * tells the client to try again if all of its concurrency is in use.
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
      external: ["playwright-core"],
      hooks: browserHooks,
    });
    if (proxiesParameterArn !== undefined) this.fn.allow(["ssm:GetParameter"], [proxiesParameterArn]);
  }

  /** Lets a function have inspections done. */
  grantInvoke(fn: ServiceFunction): void {
    fn.allow(["lambda:InvokeFunction"], [this.fn.functionArn]);
    fn.addEnvironment("INSPECTOR_FUNCTION", this.fn.functionName);
  }
}
