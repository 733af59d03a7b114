/// <reference lib="dom" />
import { settle } from "./host.ts";
import { releaseLayout } from "./layout.ts";

let isPainted = false;

/** Thrown if visibility is known only after a frame: await `waitUntilPainted()`, then read again. */
export class NotPainted extends Error {}

export const wasPainted = (): boolean => isPainted;

/** Resolves when the page has been laid out in a frame. */
export async function waitUntilPainted(): Promise<void> {
  if (isPainted) return;
  releaseLayout();
  await settle({ scrolled: true });
  isPainted = true;
}

/** Reads something. If that needs a frame, has it drawn and reads again. */
export async function readPainted<T>(read: () => T | Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof NotPainted)) throw error;
    await waitUntilPainted();
    return read();
  }
}
