/// <reference lib="dom" />
import { releaseLayout } from "./layout.ts";
import { frames, until } from "./waiting.ts";

let isPainted = false;

/** Thrown where what is visible can only be told once the page is painted: await `painted()`, then read again. */
export class NotPainted extends Error {}

export const wasPainted = (): boolean => isPainted;

/** Resolves when the page has been painted. */
export async function painted(): Promise<void> {
  if (isPainted) return;
  releaseLayout();
  if (document.readyState !== "complete") await until(() => document.readyState === "complete", 1_000);
  await frames(3);
  isPainted = true;
}

/** Reads something; once more after painting where it can't be told before. */
export async function readPainted<T>(read: () => T | Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof NotPainted)) throw error;
    await painted();
    return read();
  }
}
