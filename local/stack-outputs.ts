import {
  CloudFormationClient,
  CloudFormationServiceException,
  DescribeStacksCommand,
} from "@aws-sdk/client-cloudformation";
import { UsageError } from "./data/data-folder.ts";

/** The stack does not exist in the region. */
export class UnknownStack extends UsageError {}

/**
 * Reads the outputs of a stack, with the AWS credentials and region of the caller. Returns a function that returns an
 * output by its name, or the fallback if there is no such output. Without a fallback, that function throws a
 * UsageError.
 * @throws UnknownStack if there is no such stack, or UsageError if a region or credentials are missing
 */
export async function stackOutputs(stack: string): Promise<(name: string, fallback?: string) => string> {
  const client = new CloudFormationClient();
  try {
    await requireCredentials(client);
    const { Stacks = [] } = await client.send(new DescribeStacksCommand({ StackName: stack }));
    const outputs = new Map(
      Stacks[0]?.Outputs?.map(({ OutputKey, OutputValue }) => [OutputKey, OutputValue]),
    );
    return (name, fallback) => {
      const value = outputs.get(name) ?? fallback;
      if (value === undefined) {
        throw new UsageError(`The stack "${stack}" has no output ${name}. Deploy this version of it.`);
      }
      return value;
    };
  } catch (error) {
    if (!isUnknownStack(error)) throw error;
    const region = await client.config.region();
    throw new UnknownStack(
      `There is no stack "${stack}" in ${region}. Deploy it, name another one with --stack, or set AWS_REGION or AWS_PROFILE.`,
      { cause: error },
    );
  } finally {
    client.destroy();
  }
}

/** @throws UsageError if a client of AWS has no region or no credentials */
export async function requireCredentials({
  config,
}: {
  config: { region(): Promise<string>; credentials(): Promise<unknown> };
}): Promise<void> {
  const missing = (what: string, advice: string) => (cause: unknown) => {
    const { message } = cause as Error;
    throw new UsageError(`${what} for AWS can't be read: ${message}. ${advice}`, { cause });
  };
  await config
    .region()
    .catch(missing("The region", "Set AWS_REGION, or AWS_PROFILE to a profile with a region."));
  await config.credentials().catch(missing("Credentials", "Run `aws configure`, or set AWS_PROFILE."));
}

/** CloudFormation has no specific error code for this, so the message is checked. */
const isUnknownStack = (error: unknown): boolean =>
  error instanceof CloudFormationServiceException &&
  error.name === "ValidationError" &&
  error.message.includes("does not exist");
