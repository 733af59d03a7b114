import { Duration } from "aws-cdk-lib";
import { RecursiveLoop } from "aws-cdk-lib/aws-lambda";
import { Construct } from "constructs";
import { ServiceFunction, type ServiceFunctionProps } from "./service-function.ts";
import { WorkQueue } from "./work-queue.ts";

/** Batches that are looked at at the same time, which takes a moment: few are enough for any number of batches. */
export const CONCURRENT_BATCHES = 2;

/** The queue of batches to look at, and the function that counts their finished runs and makes the next ones. */
export class Batches extends Construct {
  readonly batches: WorkQueue;
  readonly fn: ServiceFunction;

  constructor(scope: Construct, id: string, props: Pick<ServiceFunctionProps, "serviceName" | "logDays">) {
    super(scope, id);
    this.batches = new WorkQueue(this, "Batches", {
      visibility: Duration.seconds(150),
      urlVariable: "BATCHES_QUEUE_URL",
    });
    this.fn = new ServiceFunction(this, "AdvanceBatch", {
      ...props,
      entry: "advance-batch",
      description: "Makes the runs of batches, a few at a time",
      // The deletion of a large batch takes longer, and continues in the next execution.
      timeout: Duration.seconds(120),
      memorySize: 512,
      // Messages about a batch and about its runs lead to each other. The number of inputs limits that.
      recursiveLoop: RecursiveLoop.ALLOW,
    });
    this.batches.consumeBy(this.fn, CONCURRENT_BATCHES);
  }
}
