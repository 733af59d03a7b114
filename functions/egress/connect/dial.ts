import type { LookupAddress } from "node:dns";
import { connect, type Socket } from "node:net";
import { EgressError, toEgressError } from "../egress-error.ts";
import type { Target } from "../policy/address-policy.ts";

/** Connects to a target at its checked addresses. */
export type Dial = (target: Target, addresses: LookupAddress[]) => Promise<Socket>;

/** After this time, the next address is tried beside those before it, in ms (RFC 8305, section 5). */
const NEXT_MS = 250;

/**
 * `onSocket` gets every socket as soon as it exists. The result throws EgressError `connect_failed` or `timeout`.
 *
 * Node.js itself gives up an address when it tries the next one: then no address is reached that takes longer, or while this
 * process gets no CPU.
 */
export function createDial(timeoutMs: number, onSocket: (socket: Socket) => void): Dial {
  return ({ port, name }, addresses) =>
    new Promise((resolve, reject) => {
      const left = addresses.map(({ address }) => address);
      const trying = new Set<Socket>();
      let next: NodeJS.Timeout | undefined;
      let reason: Error | undefined;
      const end = () => {
        clearTimeout(timer);
        clearTimeout(next);
        for (const socket of trying) socket.destroy();
        trying.clear();
      };
      const fail = (error: EgressError) => {
        end();
        reject(error);
      };
      const timer = setTimeout(
        () => fail(new EgressError("timeout", `${name} did not accept a connection in time`)),
        timeoutMs,
      );
      const tryNext = () => {
        clearTimeout(next);
        const host = left.shift();
        if (host === undefined) return;
        const socket = connect({ host, port, noDelay: true });
        trying.add(socket);
        onSocket(socket);
        next = setTimeout(tryNext, NEXT_MS);
        socket.once("connect", () => {
          trying.delete(socket);
          end();
          resolve(socket);
        });
        // Never removed, so that every error is handled.
        socket.on("error", (error) => {
          reason ??= error;
        });
        socket.once("close", (hasFailed) => {
          if (!trying.delete(socket)) return;
          if (!hasFailed) fail(new EgressError("connect_failed", `The connection to ${name} was closed`));
          else if (left.length > 0) tryNext();
          else if (trying.size === 0) fail(toEgressError(reason, name));
        });
      };
      tryNext();
    });
}
