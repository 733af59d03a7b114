import { Duration } from "aws-cdk-lib";
import { RecursiveLoop } from "aws-cdk-lib/aws-lambda";
import { Construct } from "constructs";
import { ServiceFunction, type ServiceFunctionProps } from "./service-function.ts";
import { WorkQueue } from "./work-queue.ts";

export interface WebhooksProps extends Pick<ServiceFunctionProps, "serviceName" | "logDays"> {
  /** Concurrent deliveries. */
  concurrency: number;
  environment: Record<string, string>;
}

/** The queue of webhooks, and the Lambda function that makes one delivery attempt per message. */
export class Webhooks extends Construct {
  readonly webhooks: WorkQueue;
  readonly fn: ServiceFunction;

  constructor(scope: Construct, id: string, { concurrency, ...rest }: WebhooksProps) {
    super(scope, id);
    this.webhooks = new WorkQueue(this, "Webhooks", {
      visibility: Duration.minutes(12),
      urlVariable: "WEBHOOKS_QUEUE_URL",
    });
    this.fn = new ServiceFunction(this, "DeliverWebhook", {
      ...rest,
      entry: "deliver-webhook",
      description: "Delivers webhooks, alerts and rows",
      // An attempt to send rows takes at most 10 minutes, another one 15 s. The rest is for storing the result.
      timeout: Duration.minutes(11),
      memorySize: 512,
      // The next attempt goes through the queue. The service itself limits the attempts.
      recursiveLoop: RecursiveLoop.ALLOW,
    });
    this.webhooks.consumeBy(this.fn, concurrency);
  }
}
