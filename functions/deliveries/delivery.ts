import type { Delivery } from "../contract/scrapers/delivery.ts";
import type { RunRef, WebhookState } from "../runs/run.ts";

/** The delivery of the rows of one run or batch to one destination of its scraper. */
export interface StoredDelivery extends RunRef, WebhookState {
  /** The id of the run or the batch. */
  of: string;
  scraper_id: string;
  /** The destination as it was when the delivery was made. */
  settings: Delivery;
  /** Whether the rows were not sent, as the log says. */
  skipped?: true;
  created_at: string;
  due_at?: string;
  /** When the delivery is removed, in seconds since the epoch. */
  expires_at: number;
  mark?: string;
}

/** The rows could not be delivered. The message is for users: it says what they can do. */
export class DeliveryFailure extends Error {
  override readonly name = "DeliveryFailure";
}
