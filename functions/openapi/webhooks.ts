import { exampleBatch, exampleRuns } from "../contract/examples.ts";
import { routes } from "../contract/routes.ts";
import { jsonContent } from "./json-content.ts";

/** The webhook of a finished run. */
export const runFinished = (): object =>
  webhook("runFinished", "run", jsonContent(routes.getRun.response, exampleRuns.finished));

/** The webhook of a finished batch. */
export const batchFinished = (): object =>
  webhook("batchFinished", "batch", jsonContent(routes.getBatch.response, exampleBatch));

/** The webhook of something that has finished. Its signature follows https://www.standardwebhooks.com. */
function webhook(operationId: string, what: string, content: object): object {
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
    summary: `A ${what} has finished`,
    description: `Sent to the \`webhook_url\` of a ${what}, and retried for about 30 hours until the receiver accepts it.`,
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
