import { Duration, Size } from "aws-cdk-lib";
import { Architecture, RecursiveLoop } from "aws-cdk-lib/aws-lambda";
import { Construct } from "constructs";
import { ServiceFunction, type ServiceFunctionProps } from "./service-function.ts";
import { WorkQueue } from "./work-queue.ts";

export interface ExecutorProps extends Pick<ServiceFunctionProps, "serviceName" | "logDays"> {
  /** Concurrent runs. */
  concurrency: number;
  memorySize: number;
  environment: Record<string, string>;
  /** ARN of the SSM parameter with the upstream proxies. */
  proxiesParameterArn?: string | undefined;
}

/**
 * Just below the limit of Lambda. A run may take an hour in total: shortly before this timeout, the execution releases
 * the run, and the next execution resumes it.
 */
const EXECUTOR_TIMEOUT = Duration.seconds(890);

/**
 * The queue of runs, and the Lambda function with Chromium that executes them.
 *
 * - Architecture: x86-64, because the packed Chromium supports no other.
 * - Memory: 2,048 MB by default. Measured: Node.js uses 130 MB. The browser uses 125 MB with an empty page, 250 MB with
 *   a page of 10,000 rows, and 1.4 GB with 100,000 rows. More memory also means more CPU: 2,048 MB have 1.16 CPUs. New
 *   AWS accounts get at most 3,008 MB.
 * - Disk: 512 MB, which is free. The unpacked browser is in the asset. /tmp contains only a profile for each run, and core
 *   files are disabled.
 */
export class Executor extends Construct {
  readonly runs: WorkQueue;
  readonly fn: ServiceFunction;

  constructor(scope: Construct, id: string, props: ExecutorProps) {
    super(scope, id);
    const { concurrency, proxiesParameterArn, ...rest } = props;
    this.runs = new WorkQueue(this, "Runs", {
      visibility: Duration.seconds(900),
      urlVariable: "RUNS_QUEUE_URL",
    });
    this.fn = new ServiceFunction(this, "ExecuteRun", {
      ...rest,
      entry: "execute-run",
      description: "Executes runs in a headless browser",
      architecture: Architecture.X86_64,
      timeout: EXECUTOR_TIMEOUT,
      ephemeralStorageSize: Size.mebibytes(512),
      addFiles: "unpack-browser.ts",
      // A run that waits for its host is passed on through the queue. The service itself limits that (MAX_ATTEMPTS).
      recursiveLoop: RecursiveLoop.ALLOW,
    });
    this.runs.consumeBy(this.fn, concurrency);
    if (proxiesParameterArn !== undefined) this.fn.allow(["ssm:GetParameter"], [proxiesParameterArn]);
  }
}
