import type { AlertFacts, AlertType, Hook } from "../contract/hooks/hook.ts";
import type { RunRef, WebhookState } from "../runs/run.ts";

/** A hook as it is stored. */
export type StoredHook = Hook;

/** An event that one hook is told. Its id begins with the time of the event. */
export interface StoredAlert extends RunRef, WebhookState {
  hook_id: string;
  event: AlertType;
  facts: AlertFacts;
  created_at: string;
  due_at?: string;
  /** When the alert is removed, in seconds since the epoch. */
  expires_at: number;
  mark?: string;
}
