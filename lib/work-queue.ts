import { Duration } from "aws-cdk-lib";
import { Queue, QueueEncryption } from "aws-cdk-lib/aws-sqs";
import { Construct } from "constructs";
import type { ServiceFunction } from "./service-function.ts";

export interface WorkQueueProps {
  /** How long a received message is hidden from other consumers: longer than the consumer's timeout. */
  visibility: Duration;
  /** The environment variable with the URL of this queue, for senders. */
  urlVariable: string;
}

/**
 * How often a message is delivered before it goes to the dead-letter queue. The table is the source of truth, so such a
 * message is not lost work, but indicates a fault.
 */
const MAX_RECEIVES = 5;

/** Encrypted, TLS only, with a retention of two weeks. Also for occurrences that a schedule could not deliver. */
export class DeadLetters extends Queue {
  constructor(scope: Construct, id: string) {
    super(scope, id, {
      encryption: QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
      retentionPeriod: Duration.days(14),
    });
  }
}

/** A standard queue with its dead-letter queue. Senders use the account as message group, which makes the queue fair. */
export class WorkQueue extends Construct {
  readonly queue: Queue;
  readonly deadLetters: DeadLetters;
  readonly #props: WorkQueueProps;

  constructor(scope: Construct, id: string, props: WorkQueueProps) {
    super(scope, id);
    this.#props = props;
    this.deadLetters = new DeadLetters(this, "DeadLetters");
    this.queue = new Queue(this, "Queue", {
      encryption: QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
      visibilityTimeout: props.visibility,
      retentionPeriod: Duration.days(4),
      deadLetterQueue: { queue: this.deadLetters, maxReceiveCount: MAX_RECEIVES },
    });
  }

  /** Invokes a function for each message, with at most `maxConcurrency` concurrent invocations. */
  consumeBy(fn: ServiceFunction, maxConcurrency: number): void {
    fn.addEventSourceMapping("Messages", {
      eventSourceArn: this.queue.queueArn,
      batchSize: 1,
      maxConcurrency,
      reportBatchItemFailures: true,
    });
    // Lambda reads the queue with the function's role. Its requests name no function, unlike those of the function's code,
    // which so can't take the messages of others.
    fn.allow(["sqs:ReceiveMessage", "sqs:DeleteMessage", "sqs:GetQueueAttributes"], [this.queue.queueArn], {
      Null: { "lambda:SourceFunctionArn": "true" },
    });
  }

  /** Gives a function the URL of the queue and permission to send to it. */
  grantSend(fn: ServiceFunction): void {
    this.#grant(fn, "sqs:SendMessage");
  }

  /** Gives a function the URL of the queue and permission to see whether it answers. */
  grantCheck(fn: ServiceFunction): void {
    this.#grant(fn, "sqs:GetQueueAttributes");
  }

  #grant(fn: ServiceFunction, action: string): void {
    fn.allow([action], [this.queue.queueArn]);
    fn.addEnvironment(this.#props.urlVariable, this.queue.queueUrl);
  }
}
