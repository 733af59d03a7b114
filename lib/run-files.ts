import { Duration, RemovalPolicy, Stack, Validations } from "aws-cdk-lib";
import {
  BlockPublicAccess,
  Bucket,
  BucketEncryption,
  type CfnBucket,
  ObjectOwnership,
} from "aws-cdk-lib/aws-s3";
import { Construct } from "constructs";
import type { ServiceFunction } from "./service-function.ts";

export interface RunFilesProps {
  /** How many days runs are kept; null: for ever. */
  runDays: number | null;
}

/** The bucket with the files that runs download. CloudFormation never deletes it, because only empty buckets can be. */
export class RunFiles extends Construct {
  readonly bucket: Bucket;

  constructor(scope: Construct, id: string, { runDays }: RunFilesProps) {
    super(scope, id);
    this.bucket = new Bucket(this, "Bucket", {
      blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
      objectOwnership: ObjectOwnership.BUCKET_OWNER_ENFORCED,
      encryption: BucketEncryption.S3_MANAGED,
      enforceSSL: true,
      removalPolicy: RemovalPolicy.RETAIN,
      lifecycleRules: [
        { abortIncompleteMultipartUploadAfter: Duration.days(1) },
        // A run expires so many days after its creation, and a file is stored after that.
        ...(runDays === null ? [] : [{ expiration: Duration.days(runDays) }]),
      ],
    });
    Validations.of(this.bucket).acknowledge({
      id: "AwsSolutions-S1",
      reason: "The log of the API says who has read files. Nothing else reads them.",
    });
  }

  grantPut(fn: ServiceFunction): void {
    this.#allow(fn, "s3:PutObject");
  }

  grantRead(fn: ServiceFunction): void {
    this.#allow(fn, "s3:GetObject");
  }

  grantDelete(fn: ServiceFunction): void {
    this.#allow(fn, "s3:DeleteObject");
    fn.allow(["s3:ListBucket"], [this.bucket.bucketArn]);
  }

  #allow(fn: ServiceFunction, action: string): void {
    fn.allow([action], [this.bucket.arnForObjects("*")]);
    fn.acknowledge(
      `IAM5[Resource::<${Stack.of(this).getLogicalId(this.bucket.node.defaultChild as CfnBucket)}.Arn>/*]`,
      "Accounts and runs come and go while the service runs.",
    );
    fn.addEnvironment("FILES_BUCKET", this.bucket.bucketName);
  }
}
