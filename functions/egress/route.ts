import type { Socket } from "node:net";
import type { Target } from "./address-policy.ts";
import type { Dial } from "./dial.ts";
import { EgressError } from "./egress-error.ts";
import { type Lookup, resolveChecked } from "./resolve.ts";

/** How requests and tunnels get to their targets: directly, or through an upstream proxy. */
export interface Route {
  /** What has to be checked for each request, because its connection may be shared with other targets. */
  check(target: Target): Promise<void> | undefined;
  /** A connection for requests to this target. */
  connect(target: Target): Promise<Socket>;
  /** Who is at the end of that connection, and how the request is spelled there. */
  hop(target: Target, url: URL): Hop;
  /** A connection that carries bytes to and from the target. */
  tunnel(target: Target): Promise<Socket>;
  /** What a 407 on this route means. */
  challenged(target: Target): EgressError;
}

export interface Hop {
  host: string;
  port: number;
  path: string;
  /** For the hop alone: name, value, name, value. */
  headers: readonly string[];
}

export interface RouteOptions {
  dial: Dial;
  lookup: Lookup;
  /** For a look-up, and for an upstream proxy's answer to CONNECT. */
  timeoutMs: number;
}

/** Every connection is opened to an address that was checked, and belongs to one host and port from then on. */
export function createDirectRoute({ dial, lookup, timeoutMs }: RouteOptions): Route {
  const connect = async (target: Target) => dial(target, await resolveChecked(target, lookup, timeoutMs));
  return {
    check: () => undefined,
    connect,
    hop: ({ host, port }, url) => ({ host, port, path: url.pathname + url.search, headers: [] }),
    tunnel: connect,
    challenged: ({ name }) =>
      new EgressError("connect_failed", `${name} gave an answer that only a proxy may give`),
  };
}
