import { CustomResource, Duration, Stack } from "aws-cdk-lib";
import type { CfnFunction } from "aws-cdk-lib/aws-lambda";
import type { Bucket, CfnBucket } from "aws-cdk-lib/aws-s3";
import { Construct } from "constructs";
import { ServiceFunction, type ServiceFunctionProps } from "../service-function.ts";

export interface ConsolePublisherProps extends Pick<ServiceFunctionProps, "serviceName" | "logDays"> {
  bucket: Bucket;
}

/**
 * Copies the console's files to the bucket when the stack is deployed, and removes them before the bucket is deleted.
 * The files are part of the function's asset. CDK's own construct for this is not used: its function may read all
 * assets of the account, and its log stays when the stack is deleted.
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
      addFiles: "console/write-console.ts",
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
      // Long enough for three attempts: Lambda retries a failed function twice.
      serviceTimeout: Duration.minutes(10),
      // CloudFormation calls the function only if a property changes. The key of the asset changes with the files.
      properties: { Bucket: bucket.bucketName, Version: Stack.of(this).resolve(code).s3Key },
    });
  }
}
