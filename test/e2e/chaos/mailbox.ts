import { once } from "node:events";
import { readFile, rename, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { json } from "node:stream/consumers";
import type { RunRef } from "../../../functions/runs/run.ts";

/** A message between the processes of this test, in place of SQS between functions on AWS. */
export interface Mail {
  queue: "runs" | "webhooks" | "batches";
  ref: RunRef;
  delaySeconds: number;
}

type Owner = "service" | "executor";
const portFile = (data: string, owner: Owner) => join(data, `${owner}-mailbox`);

/** Takes messages for a process, until it ends. */
export async function openMailbox(data: string, owner: Owner, take: (mail: Mail) => void): Promise<void> {
  const server = createServer(async (request, response) => {
    take((await json(request)) as Mail);
    response.end();
  }).listen(0, "127.0.0.1");
  server.unref();
  await once(server, "listening");
  const file = portFile(data, owner);
  await writeFile(`${file}.new`, String((server.address() as AddressInfo).port));
  await rename(`${file}.new`, file);
}

/** Sends a message to a process. It is lost if the process has just died. */
export async function mail(data: string, owner: Owner, message: Mail): Promise<void> {
  try {
    const port = await readFile(portFile(data, owner), "utf8");
    await fetch(`http://127.0.0.1:${port}/`, { method: "POST", body: JSON.stringify(message) });
  } catch {
    // The sweep finds the run.
  }
}
