import { Duration } from "aws-cdk-lib";
import { Queue, QueueEncryption } from "aws-cdk-lib/aws-sqs";
import { Construct } from "constructs";
import type { ServiceFunction } from "./service-function.ts";

export interface WorkQueueProps {
  /**
   * The visibility timeout: how long a received message is hidden from other consumers. Must exceed the function's
   * timeout.
   */
  visibility: Duration;
  /** The name of the environment variable that tells senders the URL of the queue. */
  urlVariable: string;
}

/**
 * How often a message is delivered before it goes to the dead-letter queue. No work is lost then, because the table
 * records it, but such a message indicates a fault.
 */
const MAX_RECEIVES = 5;

/** A dead-letter queue: encrypted, TLS only, with a retention of two weeks. */
export class DeadLetters extends Queue {
  constructor(scope: Construct, id: string) {
    super(scope, id, {
      encryption: QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
      retentionPeriod: Duration.days(14),
    });
  }
}

/**
 * A standard queue with its dead-letter queue. Senders use the account as message group, which makes the queue fair.
 */
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
    // Lambda itself reads the queue, with the function's role. The condition allows this, but not requests by the
    // function's code, which have lambda:SourceFunctionArn set. So an attacker who takes over the code can't read
    // messages.
    fn.allow(["sqs:ReceiveMessage", "sqs:DeleteMessage", "sqs:GetQueueAttributes"], [this.queue.queueArn], {
      Null: { "lambda:SourceFunctionArn": "true" },
    });
  }

  /** Gives a function the URL of the queue and permission to send to it. */
  grantSend(fn: ServiceFunction): void {
    this.#grant(fn, "sqs:SendMessage");
  }

  /** Gives a function the URL of the queue and permission to check whether the queue is available. */
  grantCheck(fn: ServiceFunction): void {
    this.#grant(fn, "sqs:GetQueueAttributes");
  }

  #grant(fn: ServiceFunction, action: string): void {
    fn.allow([action], [this.queue.queueArn]);
    fn.addEnvironment(this.#props.urlVariable, this.queue.queueUrl);
  }
}
