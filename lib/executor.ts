import { Duration, Size, Stack } from "aws-cdk-lib";
import { Architecture } from "aws-cdk-lib/aws-lambda";
import { Construct } from "constructs";
import { browserHooks } from "./browser-hooks.ts";
import { ServiceFunction, type ServiceFunctionProps } from "./service-function.ts";
import { WorkQueue } from "./work-queue.ts";

export interface ExecutorProps extends Pick<ServiceFunctionProps, "serviceName" | "logDays"> {
  /** Runs executed at a time. */
  concurrency: number;
  memorySize: number;
  environment: Record<string, string>;
  /** ARN of the SSM parameter with the upstream proxies. */
  proxiesParameterArn?: string | undefined;
  /** Path of the SSM parameters with the accounts' secrets. */
  secretsPath: string;
}

/**
 * Just short of Lambda's longest. A run may take an hour in all: one that comes near this limit is let go and gone on
 * with by the next execution.
 */
const EXECUTOR_TIMEOUT = Duration.seconds(890);

/**
 * The queue of runs, and the Lambda with Chromium that executes them.
 *
 * - Architecture: x86-64, the only one that the packed Chromium is built for.
 * - Memory: 2,048 MB by default. Measured: Node takes 130 MB; the browser 125 MB with an empty page, 250 MB with one of
 *   10,000 rows, 1.4 GB with one of 100,000. The rest buys CPU (1.16 of them), and new AWS accounts are given 3,008 MB at
 *   most.
 * - Disk: 512 MB, which costs nothing. The browser is run from the asset, where it lies unpacked; /tmp only holds a
 *   profile for each run, and core files are switched off.
 */
export class Executor extends Construct {
  readonly runs: WorkQueue;
  readonly fn: ServiceFunction;

  constructor(scope: Construct, id: string, props: ExecutorProps) {
    super(scope, id);
    const { concurrency, proxiesParameterArn, secretsPath, environment, ...rest } = props;
    this.runs = new WorkQueue(this, "Runs", {
      visibility: Duration.seconds(900),
      urlVariable: "RUNS_QUEUE_URL",
    });
    this.fn = new ServiceFunction(this, "ExecuteRun", {
      ...rest,
      environment: { ...environment, SECRETS_PATH: secretsPath },
      entry: "execute-run",
      description: "Executes runs in a headless browser",
      architecture: Architecture.X86_64,
      timeout: EXECUTOR_TIMEOUT,
      ephemeralStorageSize: Size.mebibytes(512),
      external: ["playwright-core"],
      hooks: browserHooks,
    });
    this.runs.consumeBy(this.fn, concurrency);
    this.#grantReadSecrets(secretsPath);
    if (proxiesParameterArn !== undefined) this.fn.allow(["ssm:GetParameter"], [proxiesParameterArn]);
  }

  /** Nothing of KMS: AWS's key for SSM lets whoever may read a parameter decrypt it. */
  #grantReadSecrets(path: string): void {
    const { partition, region, account } = Stack.of(this);
    const secrets = `parameter${path}/*`;
    this.fn.allow(["ssm:GetParameters"], [`arn:${partition}:ssm:${region}:${account}:${secrets}`]);
    this.fn.acknowledge(
      `IAM5[Resource::arn:<AWS::Partition>:ssm:<AWS::Region>:<AWS::AccountId>:${secrets}]`,
      "Secrets come and go while the service runs.",
    );
  }
}
