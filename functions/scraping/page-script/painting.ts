/// <reference lib="dom" />
import { releaseLayout } from "./layout.ts";
import { waitFrames, waitUntil } from "./waiting.ts";

let isPainted = false;

/** Thrown if visibility is known only after painting: await `waitUntilPainted()`, then read again. */
export class NotPainted extends Error {}

export const wasPainted = (): boolean => isPainted;

/** Resolves when the page has been painted. */
export async function waitUntilPainted(): Promise<void> {
  if (isPainted) return;
  releaseLayout();
  if (document.readyState !== "complete") await waitUntil(() => document.readyState === "complete", 1_000);
  await waitFrames(3);
  isPainted = true;
}

/** Reads something. If that needs painting, paints the page and reads again. */
export async function readPainted<T>(read: () => T | Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof NotPainted)) throw error;
    await waitUntilPainted();
    return read();
  }
}
