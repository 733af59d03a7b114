import { createPoster } from "../egress/requests/post-json.ts";
import { deliverWebhook } from "../workers/deliver-webhook.ts";
import { sqsHandler } from "../workers/sqs-handler.ts";
import { destinations } from "./bindings/destinations.ts";
import { allowHosts, consoleUrl } from "./bindings/environment.ts";
import { meter } from "./bindings/meter.ts";
import { now } from "./bindings/now.ts";
import { log, observers } from "./bindings/observe.ts";
import { once } from "./bindings/once.ts";
import { plainQueues } from "./bindings/queues.ts";
import { sendMail } from "./bindings/send-mail.ts";
import { table } from "./bindings/table.ts";
import { stageTracer } from "./bindings/x-ray.ts";

const queues = plainQueues();
const post = once(() => createPoster({ allowHosts: allowHosts() }));

export const handler = sqsHandler(
  (ref) =>
    deliverWebhook(
      {
        ...{ table, queues, post: post(), sendMail, consoleUrl, now, log, meter },
        destinations: destinations(),
        onStage: stageTracer(),
      },
      ref,
    ),
  log,
  observers,
);
