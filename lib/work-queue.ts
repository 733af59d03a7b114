import { Duration } from "aws-cdk-lib";
import type { IFunction } from "aws-cdk-lib/aws-lambda";
import { SqsEventSource } from "aws-cdk-lib/aws-lambda-event-sources";
import { Queue, QueueEncryption } from "aws-cdk-lib/aws-sqs";
import { Construct } from "constructs";
import type { ServiceFunction } from "./service-function.ts";

export interface WorkQueueProps {
  /** How long a message in hand is hidden from others: longer than its consumer's time-out. */
  visibility: Duration;
  /** The variable that names this queue to those who send to it. */
  urlVariable: string;
}

/**
 * How often a message is tried before it is set aside. The table says what has become of a run, so a message that keeps
 * failing is not work lost but a sign that something is wrong.
 */
const MAX_RECEIVES = 5;

/** Encrypted, by TLS alone, set aside for two weeks. Also for what a schedule could not deliver. */
export class DeadLetters extends Queue {
  constructor(scope: Construct, id: string) {
    super(scope, id, {
      encryption: QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
      retentionPeriod: Duration.days(14),
    });
  }
}

/** A standard queue with its dead-letter queue. Senders name the account as message group, which makes it fair. */
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

  /** Hands the queue's messages to a function one by one, at most `maxConcurrency` at a time. */
  consumeBy(fn: IFunction, maxConcurrency: number): void {
    fn.addEventSource(
      new SqsEventSource(this.queue, { batchSize: 1, maxConcurrency, reportBatchItemFailures: true }),
    );
  }

  /** Tells a function of the queue and lets it send to it. */
  grantSend(fn: ServiceFunction): void {
    fn.allow(["sqs:SendMessage"], [this.queue.queueArn]);
    fn.addEnvironment(this.#props.urlVariable, this.queue.queueUrl);
  }
}
