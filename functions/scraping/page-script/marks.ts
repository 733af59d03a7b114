/// <reference lib="dom" />
import { countdown } from "./readiness.ts";
import { waitUntil } from "./waiting.ts";

/**
 * Selectors that only Playwright can evaluate match marks, which rows that come later do not have. Where new marks are
 * needed, the call that needs them is answered before its end, and continues when they are set.
 */

/** Between two looks at what needs new marks, in ms. */
const POLL_MS = 100;

let wanted = Promise.withResolvers<void>();
let set = Promise.withResolvers<void>();

/** Resolves when new marks are wanted. */
export const marksWanted = (): Promise<void> => wanted.promise;

/** Continues what waits for new marks. */
export function continueMarked(): void {
  wanted = Promise.withResolvers();
  set.resolve();
}

/** Whether the selectors of a request match marks. */
interface Markable {
  marked?: boolean | undefined;
}

/** Waits for new marks, where selectors need them. */
export async function freshMarks({ marked }: Markable): Promise<void> {
  if (!marked) return;
  set = Promise.withResolvers();
  wanted.resolve();
  await set.promise;
}

/** As `waitUntil`, for elements whose selectors may need new marks. */
export async function waitUntilWithMarks(
  request: Markable,
  check: () => boolean,
  ms: number,
): Promise<boolean> {
  if (!request.marked) return waitUntil(check, ms);
  for (const { left } = countdown(ms); ; ) {
    await freshMarks(request);
    if (check()) return true;
    if (left() === 0) return false;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}
