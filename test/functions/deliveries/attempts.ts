import { spawn } from "node:child_process";
import { randomInt } from "node:crypto";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { expect } from "@jest/globals";
import type { Delivery } from "../../../functions/contract/scrapers/delivery.ts";

/** What a process sends. */
export interface Attempt {
  settings: Delivery;
  /** `host:port` of the destination. */
  host: string;
  /** The value of the secret `key`. */
  secret: string;
  google?: { sheets: string; tokens: string; requestBytes: number };
  /** The number of rows. They have a `sku` from 0 on, and the title `Lamp <sku> of run <run>`. */
  rows: number;
  run: number;
  /** Titles are filled up to this length. */
  length?: number;
}

/**
 * Makes an attempt in a process of its own, which is killed after this number of parts of 200 rows. Returns its last line;
 * undefined if it has none. `kill`: what to do in place of killing the process.
 */
export async function attempt(
  sent: Attempt,
  parts: number,
  kill?: () => Promise<unknown>,
): Promise<string | undefined> {
  const child = spawn(process.execPath, [join(import.meta.dirname, "sender.ts"), JSON.stringify(sent)], {
    stdio: ["ignore", "pipe", "ignore"],
  });
  let seen = 0;
  let said: string | undefined;
  const ended = once(child, "close");
  for await (const line of createInterface({ input: child.stdout })) {
    if (line !== "part") said = line;
    else if (++seen === parts) await (kill === undefined ? child.kill("SIGKILL") : kill());
  }
  await ended;
  return said;
}

/**
 * Makes six attempts that are killed at random, and one that is not. Returns at which parts they were, for messages. `others`:
 * what else breaks every second attempt. `look`: called after each broken one.
 */
export async function attemptUntilSent(
  sent: Attempt,
  message: string,
  other?: { name: string; kill: () => Promise<unknown> },
  look?: (kills: string[]) => Promise<void>,
): Promise<string[]> {
  const kills: string[] = [];
  const parts = sent.rows / 200;
  for (let kill = 0; kill < 6; kill += 1) {
    const how = kill % 2 === 0 ? undefined : other;
    // A later one may come after more parts, because an attempt goes on where the last one ended.
    const after = randomInt(
      1,
      sent.settings.mode === "replace" || sent.settings.type === "s3" ? parts : parts / 5,
    );
    kills.push(`${how?.name ?? "process"} after ${after}`);
    expect([kills, await attempt(sent, after, how?.kill)]).toEqual([kills, undefined]);
    await look?.(kills);
  }
  expect([kills, await attempt(sent, 0)]).toEqual([kills, JSON.stringify({ outcome: "delivered", message })]);
  return kills;
}
