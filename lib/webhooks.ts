import { Duration } from "aws-cdk-lib";
import { Construct } from "constructs";
import { ServiceFunction, type ServiceFunctionProps } from "./service-function.ts";
import { WorkQueue } from "./work-queue.ts";

export interface WebhooksProps extends Pick<ServiceFunctionProps, "serviceName" | "logDays"> {
  /** Webhooks delivered at a time. */
  concurrency: number;
  environment: Record<string, string>;
}

/** The queue of webhooks, and the Lambda that makes one attempt at each. */
export class Webhooks extends Construct {
  readonly webhooks: WorkQueue;
  readonly fn: ServiceFunction;

  constructor(scope: Construct, id: string, { concurrency, ...rest }: WebhooksProps) {
    super(scope, id);
    this.webhooks = new WorkQueue(this, "Webhooks", {
      visibility: Duration.seconds(60),
      urlVariable: "WEBHOOKS_QUEUE_URL",
    });
    this.fn = new ServiceFunction(this, "DeliverWebhook", {
      ...rest,
      entry: "deliver-webhook",
      description: "Delivers the webhooks of finished runs",
      // An attempt takes 15 s at most; the rest is for reading the run and noting what came of it.
      timeout: Duration.seconds(45),
      memorySize: 512,
    });
    this.webhooks.consumeBy(this.fn, concurrency);
  }
}
