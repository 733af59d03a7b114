import { exampleBatch, exampleRuns } from "../contract/examples.ts";
import { Alert } from "../contract/hooks/hook.ts";
import { exampleAlert } from "../contract/hooks/hook-examples.ts";
import { routes } from "../contract/routes.ts";
import { jsonContent } from "./json-content.ts";

/** The webhook of a finished run. */
export const runFinished = (): object =>
  webhook("runFinished", ofUrl("run"), jsonContent(routes.getRun.response, exampleRuns.finished));

/** The webhook of a finished batch. */
export const batchFinished = (): object =>
  webhook("batchFinished", ofUrl("batch"), jsonContent(routes.getBatch.response, exampleBatch));

/** The webhook of an event that a hook of the format `standard` gets. */
export const alert = (): object =>
  webhook(
    "alert",
    { what: "An alert", to: "a hook of the format `standard`" },
    jsonContent(Alert, exampleAlert),
  );

const ofUrl = (what: string) => ({ what: `A ${what} has finished`, to: `the \`webhook_url\` of a ${what}` });

/** A webhook. Its signature follows https://www.standardwebhooks.com. */
function webhook(operationId: string, { what, to }: { what: string; to: string }, content: object): object {
  const header = (name: string, description: string) => ({
    name,
    in: "header",
    required: true,
    description,
    schema: { type: "string" },
  });
  return {
    operationId,
    // A tag of its own: generators make a file for each tag, and that of the webhooks would replace that of the routes.
    tags: ["webhooks"],
    summary: what,
    description: `Sent to ${to}, and retried for about 30 hours until the receiver accepts it.`,
    security: [],
    parameters: [
      header("webhook-id", "Identifies the delivery; the same for all attempts."),
      header("webhook-timestamp", "Time of the attempt, in seconds since 1970-01-01 UTC."),
      header("webhook-signature", "Signatures of the delivery, as defined by Standard Webhooks."),
    ],
    requestBody: { required: true, ...content },
    responses: {
      "2XX": { description: "The receiver accepts the delivery." },
      "410": { description: "The receiver no longer exists; the delivery is not retried." },
    },
  };
}
