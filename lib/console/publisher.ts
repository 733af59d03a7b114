import { join } from "node:path";
import { CustomResource, Duration, Stack } from "aws-cdk-lib";
import type { CfnFunction } from "aws-cdk-lib/aws-lambda";
import type { Bucket, CfnBucket } from "aws-cdk-lib/aws-s3";
import { Construct } from "constructs";
import { PROJECT_FOLDER } from "../project-folder.ts";
import { ServiceFunction, type ServiceFunctionProps } from "../service-function.ts";

export interface ConsolePublisherProps extends Pick<ServiceFunctionProps, "serviceName" | "logDays"> {
  bucket: Bucket;
}

/**
 * Copies the console's files to the bucket when the stack is deployed, and removes them before the bucket is deleted. The
 * files are in the function's own asset. The constructs of CDK for this would read the bucket with all assets of the
 * account, and leave a log behind.
 */
export class ConsolePublisher extends Construct {
  constructor(scope: Construct, id: string, { bucket, ...props }: ConsolePublisherProps) {
    super(scope, id);
    const timeout = Duration.minutes(2);
    const fn = new ServiceFunction(this, "PublishConsole", {
      ...props,
      entry: "publish-console",
      description: "Copies the files of the console to their bucket",
      timeout,
      memorySize: 512,
      hooks: {
        beforeBundling: () => [],
        beforeInstall: () => [],
        // The current Node.js, and not the first one in PATH.
        afterBundling: (_input, output) => [
          `"${process.execPath}" "${join(PROJECT_FOLDER, "lib", "console", "write-console.ts")}" "${output}"`,
        ],
      },
    });
    fn.allow(["s3:PutObject", "s3:DeleteObject"], [bucket.arnForObjects("*")]);
    fn.allow(["s3:ListBucket"], [bucket.bucketArn]);
    fn.acknowledge(
      `IAM5[Resource::<${Stack.of(this).getLogicalId(bucket.node.defaultChild as CfnBucket)}.Arn>/*]`,
      "The names of the files change with their content.",
    );
    const { code } = fn.node.defaultChild as CfnFunction;
    new CustomResource(this, "Files", {
      resourceType: "Custom::ConsoleFiles",
      serviceToken: fn.functionArn,
      // Lambda calls a function that failed two more times.
      serviceTimeout: Duration.minutes(10),
      // The key of the asset changes with the files, and only a changed property makes CloudFormation call the function.
      properties: { Bucket: bucket.bucketName, Version: Stack.of(this).resolve(code).s3Key },
    });
  }
}
