import { Duration, Stack } from "aws-cdk-lib";
import { Construct } from "constructs";
import { SESSION_KEY } from "../functions/sessions/session-key.ts";
import { ServiceFunction, type ServiceFunctionProps } from "./service-function.ts";

export interface SecretBrokerProps extends Pick<ServiceFunctionProps, "serviceName" | "logDays"> {
  /** Path of the SSM parameters with the accounts' secrets. */
  secretsPath: string;
}

/**
 * The only function that may read secrets. It opens no pages. A caller needs a ticket, and gets only secrets of the
 * ticket's account. An executor gets a ticket with each message. So an attacker who takes over an executor can't read
 * the secrets of other accounts.
 */
export class SecretBroker extends Construct {
  readonly fn: ServiceFunction;

  constructor(scope: Construct, id: string, { secretsPath, ...props }: SecretBrokerProps) {
    super(scope, id);
    this.fn = new ServiceFunction(this, "ReadSecrets", {
      ...props,
      entry: "read-secrets",
      description: "Reads the secrets of one account for a run",
      environment: { SECRETS_PATH: secretsPath },
      timeout: Duration.seconds(15),
      memorySize: 512,
    });
    // No KMS permission is needed: with SSM's AWS managed key, permission to read a parameter includes its decryption.
    const { partition, region, account } = Stack.of(this);
    const secrets = `parameter${secretsPath}/*`;
    this.fn.allow(["ssm:GetParametersByPath"], [`arn:${partition}:ssm:${region}:${account}:${secrets}`]);
    // It creates the key of an account's sessions, and can change no secret.
    const sessionKeys = `parameter${secretsPath}/*/${SESSION_KEY}`;
    this.fn.allow(["ssm:PutParameter"], [`arn:${partition}:ssm:${region}:${account}:${sessionKeys}`]);
    this.fn.acknowledge(
      `IAM5[Resource::arn:<AWS::Partition>:ssm:<AWS::Region>:<AWS::AccountId>:${sessionKeys}]`,
      "Accounts come and go while the service runs.",
    );
    this.fn.acknowledge(
      `IAM5[Resource::arn:<AWS::Partition>:ssm:<AWS::Region>:<AWS::AccountId>:${secrets}]`,
      "Secrets come and go while the service runs.",
    );
  }

  /** Gives a function the name of the broker, and permission to invoke it. */
  grantAsk(fn: ServiceFunction): void {
    fn.allow(["lambda:InvokeFunction"], [this.fn.functionArn]);
    fn.addEnvironment("SECRETS_FUNCTION", this.fn.functionName);
  }
}
