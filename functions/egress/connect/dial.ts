import type { LookupAddress } from "node:dns";
import { connect, type Socket } from "node:net";
import { EgressError, toEgressError } from "../egress-error.ts";
import type { Target } from "../policy/address-policy.ts";
import { pinned } from "./resolve.ts";

/** Connects to a target at its checked addresses. */
export type Dial = (target: Target, addresses: LookupAddress[]) => Promise<Socket>;

/**
 * `onSocket` gets every socket as soon as it exists. The result throws EgressError `connect_failed` or `timeout`.
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
      // Never removed, so that every error is handled. After "connect", it has no effect.
      socket.on("error", (error) => reject(toEgressError(error, name)));
      socket.once("close", () => {
        clearTimeout(timer);
        reject(new EgressError("connect_failed", `The connection to ${name} was closed`));
      });
    });
}
