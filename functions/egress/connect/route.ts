import type { Socket } from "node:net";
import { EgressError } from "../egress-error.ts";
import type { Target } from "../policy/address-policy.ts";
import type { ResponseHead } from "../proxy/response-head.ts";
import type { Dial } from "./dial.ts";
import { type Lookup, resolveChecked } from "./resolve.ts";

/** How requests and tunnels reach their targets: directly, or through an upstream proxy. */
export interface Route {
  /** The check for each request, if its connection may be shared with other targets. */
  check(target: Target): Promise<void> | undefined;
  /** A connection for requests to this target. */
  connect(target: Target): Promise<Socket>;
  /** The host at the end of that connection, and the form of the request there. */
  hop(target: Target, url: URL): Hop;
  /** A connection that carries bytes to and from the target. */
  tunnel(target: Target): Promise<Socket>;
  /** Why a response must not be passed on; undefined: it may be. To be asked for every response. */
  refusal(answer: ResponseHead, target: Target): Promise<EgressError> | undefined;
}

export interface Hop {
  host: string;
  port: number;
  path: string;
  /** Headers for this hop only: name, value, name, value. */
  headers: readonly string[];
}

export interface RouteOptions {
  dial: Dial;
  lookup: Lookup;
  /** For a lookup, and for an upstream proxy's response to CONNECT. */
  timeoutMs: number;
}

/** Every connection leads to a checked address and is used for one host and port only. */
export function createDirectRoute({ dial, lookup, timeoutMs }: RouteOptions): Route {
  const connect = async (target: Target) => dial(target, await resolveChecked(target, lookup, timeoutMs));
  return {
    check: () => undefined,
    connect,
    hop: ({ host, port }, url) => ({ host, port, path: url.pathname + url.search, headers: [] }),
    tunnel: connect,
    refusal: ({ status }, target) => (status === 407 ? Promise.resolve(challengeOf(target)) : undefined),
  };
}

/** The error for a site that demands a proxy's credentials. */
export const challengeOf = ({ name }: Target): EgressError =>
  new EgressError("connect_failed", `${name} gave an answer that only a proxy may give`);
