import type { LookupAddress } from "node:dns";
import { lookup as systemLookup } from "node:dns/promises";
import { connect, isIP, type LookupFunction, type Socket } from "node:net";
import { assertReachable, type Target } from "./address-policy.ts";
import { EgressError, toEgressError } from "./egress-error.ts";

/** All addresses of a name. */
export type Lookup = (host: string) => Promise<LookupAddress[]>;

export const lookupAll: Lookup = (host) => systemLookup(host, { all: true });

/**
 * The addresses of a target, each of them checked.
 * @throws EgressError `blocked_address`, `name_not_found`
 */
export async function resolveChecked(target: Target, lookup: Lookup): Promise<LookupAddress[]> {
  const family = isIP(target.host);
  const addresses = family === 0 ? await lookupOf(target, lookup) : [{ address: target.host, family }];
  assertReachable(
    target,
    addresses.map(({ address }) => address),
  );
  return addresses;
}

async function lookupOf(target: Target, lookup: Lookup): Promise<LookupAddress[]> {
  const addresses = await lookup(target.host).catch(() => []);
  if (addresses.length === 0) {
    throw new EgressError("name_not_found", `The name ${target.host} was not found`);
  }
  return addresses;
}

/** Makes a connection use these addresses and no others: a second look-up could give an unchecked one. */
export function pinned(addresses: LookupAddress[]): LookupFunction {
  return (_host, options, callback) => {
    const [first] = addresses as [LookupAddress];
    if (options.all) callback(null, addresses);
    else callback(null, first.address, first.family);
  };
}

/** Connects to a target by its checked addresses. */
export type Dial = (target: Target, addresses: LookupAddress[]) => Promise<Socket>;

/** @throws EgressError `connect_failed`, `timeout` */
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
