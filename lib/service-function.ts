import { join } from "node:path";
import { type Duration, RemovalPolicy, type Size, Validations } from "aws-cdk-lib";
import { PolicyStatement, Role, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import {
  ApplicationLogLevel,
  Architecture,
  LoggingFormat,
  Runtime,
  SystemLogLevel,
  Tracing,
} from "aws-cdk-lib/aws-lambda";
import { type ICommandHooks, NodejsFunction, OutputFormat } from "aws-cdk-lib/aws-lambda-nodejs";
import { LogGroup } from "aws-cdk-lib/aws-logs";
import type { Construct } from "constructs";
import { PROJECT_FOLDER } from "./project-folder.ts";

export interface ServiceFunctionProps {
  /** Name of the file in functions/lambda, without its ending. */
  entry: string;
  description: string;
  /** @default a name of CloudFormation's own */
  functionName?: string;
  timeout: Duration;
  /** In MB; CPU comes with it, a whole one at 1,769. */
  memorySize: number;
  /** Size of /tmp. @default 512 MB */
  ephemeralStorageSize?: Size;
  /** @default arm64, which costs a fifth less */
  architecture?: Architecture;
  environment?: Record<string, string>;
  /** Packages that are put beside the bundle by `hooks` and not into it. */
  external?: string[];
  hooks?: ICommandHooks;
  /** Name of the service in logs, traces and metrics. */
  serviceName: string;
  logDays: number;
}

/**
 * A Lambda as all of this service are: one ESM file with its source map, a role of its own that may do nothing yet but
 * write its log and traces, and a log that expires.
 */
export class ServiceFunction extends NodejsFunction {
  readonly #ownRole: Role;

  constructor(scope: Construct, id: string, props: ServiceFunctionProps) {
    const { entry, serviceName, logDays, environment, external = [], hooks, ...rest } = props;
    const logGroup = new LogGroup(scope, `${id}Log`, {
      retention: logDays,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    const role = new Role(scope, `${id}Role`, {
      assumedBy: new ServicePrincipal("lambda.amazonaws.com"),
      description: `${serviceName}: ${props.description}`,
    });
    // Not the managed policy that CDK would take: that one reaches every log of the account.
    logGroup.grantWrite(role);
    super(scope, id, {
      architecture: Architecture.ARM_64,
      ...rest,
      entry: join(PROJECT_FOLDER, "functions", "lambda", `${entry}.ts`),
      projectRoot: PROJECT_FOLDER,
      depsLockFilePath: join(PROJECT_FOLDER, "package-lock.json"),
      runtime: Runtime.NODEJS_24_X,
      role,
      logGroup,
      loggingFormat: LoggingFormat.JSON,
      applicationLogLevelV2: ApplicationLogLevel.INFO,
      systemLogLevelV2: SystemLogLevel.INFO,
      tracing: Tracing.ACTIVE,
      environment: {
        NODE_OPTIONS: "--enable-source-maps",
        POWERTOOLS_SERVICE_NAME: serviceName,
        POWERTOOLS_METRICS_NAMESPACE: "Gleaner",
        ...environment,
      },
      bundling: {
        format: OutputFormat.ESM,
        target: "node24",
        minify: true,
        sourceMap: true,
        sourcesContent: false,
        mainFields: ["module", "main"],
        bundleAwsSDK: true,
        externalModules: external,
        // Packages that are CommonJS inside of an ES module still call `require`.
        banner:
          "import{createRequire as __createRequire}from'node:module';const require=__createRequire(import.meta.url);",
        esbuildArgs: {
          "--alias:@aws-sdk/credential-provider-node": "./functions/lambda/default-credentials.ts",
        },
        ...(hooks && { commandHooks: hooks }),
      },
    });
    this.#ownRole = role;
    this.acknowledge(
      "IAM5[Resource::*]",
      "X-Ray has no resources: xray:PutTraceSegments and PutTelemetryRecords take nothing but *.",
    );
  }

  /** Says why a finding of cdk-nag about this function's rights is no problem. */
  acknowledge(finding: string, reason: string): void {
    Validations.of(this.#ownRole).acknowledge({ id: `AwsSolutions-${finding}`, reason });
  }

  /** Lets this function do `actions` on `resources`, and nothing wider. */
  allow(actions: string[], resources: string[]): void {
    this.addToRolePolicy(new PolicyStatement({ actions, resources }));
  }
}
