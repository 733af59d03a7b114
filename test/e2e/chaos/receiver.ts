import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Webhook } from "standardwebhooks";
import { type Random, seeded } from "./random.ts";

export interface Received {
  ids: Set<string>;
  /** Deliveries whose signature the published library verified. */
  verified: number;
  unverified: number;
}

/** A receiver that answers its first delivery of a run with 500, or not at all, as chance has it. */
export async function startReceiver(seed: number, secrets: () => readonly string[]) {
  const random: Random = seeded(seed);
  const byRun = new Map<string, Received>();
  const server = createServer(async (request, response) => {
    const body = Buffer.concat(await Array.fromAsync(request as AsyncIterable<Buffer>)).toString();
    const headers = request.headers as Record<string, string>;
    const { id } = JSON.parse(body);
    const isFirst = !byRun.has(id);
    const received = byRun.get(id) ?? { ids: new Set(), verified: 0, unverified: 0 };
    byRun.set(id, received);
    received.ids.add(headers["webhook-id"] ?? "");
    if (secrets().some((secret) => verifies(secret, body, headers))) received.verified += 1;
    else received.unverified += 1;
    const chance = random();
    if (isFirst && chance < 0.1) response.writeHead(500).end();
    // Holds the connection open until the sender has had enough.
    else if (isFirst && chance < 0.15) response.writeHead(200).write("…");
    else if (isFirst && chance < 0.2) return;
    else response.end();
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    byRun,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

function verifies(secret: string, body: string, headers: Record<string, string>): boolean {
  try {
    new Webhook(secret).verify(body, headers);
    return true;
  } catch {
    return false;
  }
}
