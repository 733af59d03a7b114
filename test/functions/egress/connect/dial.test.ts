import type { LookupAddress } from "node:dns";
import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { expect, test } from "@jest/globals";
import { createDial } from "../../../../functions/egress/connect/dial.ts";

const V4: LookupAddress = { address: "127.0.0.1", family: 4 };
const V6: LookupAddress = { address: "::1", family: 6 };
/** Longer than an address has for itself. */
const BLOCKED_MS = 500;

async function reaches(addresses: LookupAddress[], meanwhile = () => {}): Promise<string | undefined> {
  const server = createServer((socket) => socket.destroy()).listen(0, V4.address);
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const target = { host: "localhost", port, name: `localhost:${port}`, exempt: true };
  try {
    const connecting = createDial(10_000, () => {})(target, addresses);
    meanwhile();
    const socket = await connecting;
    const { remoteAddress } = socket;
    socket.destroy();
    return remoteAddress;
  } finally {
    server.close();
  }
}

test("an address is reached although this process has no CPU while the connection is accepted", async () => {
  const block = () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, BLOCKED_MS);
  expect(await reaches([V4, V6], () => void block())).toBe(V4.address);
});

test("the next address is tried where one refuses the connection", async () => {
  expect(await reaches([V6, V4])).toBe(V4.address);
});

test("the error is that of the first address where all refuse", async () => {
  await expect(reaches([V6, V6])).rejects.toThrow(/^The connection to localhost:\d+ failed: E/);
});
