import { InvokeCommand, LambdaClient } from "@aws-sdk/client-lambda";
import * as v from "valibot";
import { Secret, type SecretReader } from "../../secrets/secret.ts";
import { clientOptions } from "./client-options.ts";
import { secretsFunction } from "./environment.ts";
import { once } from "./once.ts";
import { traced } from "./x-ray.ts";

const lambda = once(() => traced(new LambdaClient(clientOptions)));

const Secrets = v.record(v.string(), Secret);

/** A reader for the secrets of the account that a ticket belongs to. It caches nothing. */
export const ticketedSecrets =
  (ticket: string | undefined): SecretReader =>
  async (_account, names) => {
    const { FunctionError, Payload } = await lambda().send(
      new InvokeCommand({
        FunctionName: secretsFunction(),
        Payload: JSON.stringify({ ticket, names }),
      }),
    );
    const answer = JSON.parse(Payload?.transformToString() ?? "null");
    if (FunctionError !== undefined) {
      throw new Error(`The account's secrets could not be read: ${answer?.errorMessage}`);
    }
    return new Map(Object.entries(v.parse(Secrets, answer)));
  };
