import type { LookupAddress } from "node:dns";
import { connect, type Socket } from "node:net";
import type { Target } from "./address-policy.ts";
import { EgressError, toEgressError } from "./egress-error.ts";
import { pinned } from "./resolve.ts";

/** Connects to a target by its checked addresses. */
export type Dial = (target: Target, addresses: LookupAddress[]) => Promise<Socket>;

/**
 * `onSocket` gets every socket as soon as there is one. The dial throws EgressError `connect_failed` or `timeout`.
 */
export function createDial(timeoutMs: number, onSocket: (socket: Socket) => void): Dial {
  return ({ host, port, name }, addresses) =>
    new Promise((resolve, reject) => {
      const socket = connect({ host, port, noDelay: true, lookup: pinned(addresses) });
      onSocket(socket);
      const timer = setTimeout(() => {
        socket.destroy(new EgressError("timeout", `${name} did not accept a connection in time`));
      }, timeoutMs);
      socket.once("connect", () => {
        clearTimeout(timer);
        resolve(socket);
      });
      // Stays for the socket's life, so that no error is ever unhandled; after "connect" it changes nothing.
      socket.on("error", (error) => reject(toEgressError(error, name)));
      socket.once("close", () => {
        clearTimeout(timer);
        reject(new EgressError("connect_failed", `The connection to ${name} was closed`));
      });
    });
}
