import { abortable } from "../abortable.ts";
import { CLAIM_MS } from "../runs/webhook-attempt.ts";
import { DeliveryFailure } from "./delivery.ts";

/**
 * Does work that lasts longer than a claim, and renews the claim in the meantime. `renew`: false if somebody else has the claim.
 * The signal of `work` aborts then, or with `signal`, and this rejects with its reason.
 */
export async function whileHeld<T>(
  renew: () => Promise<boolean>,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const lost = new AbortController();
  let renewal = Promise.resolve();
  const look = () => {
    renewal = renew().then(
      (isHeld) => {
        if (!isHeld) lost.abort(new DeliveryFailure("Another attempt has taken over."));
      },
      // The claim may still be renewed next time, or it ends.
      () => {},
    );
  };
  const timer = setInterval(look, CLAIM_MS / 3);
  const either = AbortSignal.any([signal, lost.signal]);
  try {
    return await abortable(work(either), either);
  } finally {
    clearInterval(timer);
    // So that nobody who has ended the work meets a renewal that is under way.
    await renewal;
  }
}
