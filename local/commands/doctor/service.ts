import { SSMClient } from "@aws-sdk/client-ssm";
import type { AccountView } from "../../../functions/contract/service-routes.ts";
import { connect } from "../../client/api.ts";
import type { Where } from "../../client/target.ts";
import { CommandError, EXIT } from "../../command-error.ts";
import { UsageError } from "../../data/data-folder.ts";
import type { Finding } from "./finding.ts";

const AWS_MS = 5_000;

/** Checks the service that commands use by default, and its key. */
export async function service(where: Where): Promise<Finding> {
  try {
    const api = await connect(where);
    const { name, version } = await api.get<AccountView>("/v1/account");
    const { url, from } = api.target;
    return {
      state: "ok",
      message: `${url} (${from}), version ${version}, takes the key of the account "${name}"`,
    };
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    // No service was started yet, which is not a problem.
    const isMissing = error instanceof CommandError && error.exitCode === EXIT.notReached && !error.cause;
    return { state: isMissing ? "note" : "problem", message: error.message };
  }
}

const NOT_NEEDED = "You need this only for `npx cdk deploy` and commands with --stack.";

/** Checks whether there are AWS credentials and a region. Sends no request to AWS. */
export async function aws(): Promise<Finding> {
  const client = new SSMClient();
  try {
    const [region, credentials] = await Promise.all([
      client.config.region().catch(() => undefined),
      Promise.race([client.config.credentials(), timeout()]).catch(() => undefined),
    ]);
    if (credentials !== undefined && region) return { state: "ok", message: `credentials for ${region}` };
    const missing = [...(credentials === undefined ? ["credentials"] : []), ...(region ? [] : ["region"])];
    return {
      state: "note",
      message: `no ${missing.join(" and no ")}`,
      advice: `${NOT_NEEDED} Run \`aws configure\`, or set AWS_PROFILE and AWS_REGION.`,
    };
  } finally {
    client.destroy();
  }
}

const timeout = () =>
  new Promise<undefined>((resolve) => void setTimeout(() => resolve(undefined), AWS_MS).unref());
