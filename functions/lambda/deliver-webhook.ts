import { createPoster } from "../egress/post-json.ts";
import { deliverWebhook } from "../workers/deliver-webhook.ts";
import { sqsHandler } from "../workers/sqs-handler.ts";
import { destinations } from "./destinations.ts";
import { allowHosts, consoleUrl } from "./environment.ts";
import { meter } from "./meter.ts";
import { now } from "./now.ts";
import { log, observers } from "./observe.ts";
import { once } from "./once.ts";
import { plainQueues } from "./queues.ts";
import { sendMail } from "./send-mail.ts";
import { table } from "./table.ts";
import { stageTracer } from "./x-ray.ts";

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
