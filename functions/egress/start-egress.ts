import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import {
  createPolicy,
  type PolicyOptions,
  parseAuthority,
  type Target,
  targetName,
} from "./address-policy.ts";
import { answerConnect, answerRequest } from "./answer.ts";
import { Connections } from "./connections.ts";
import { createDial } from "./dial.ts";
import type { Egress } from "./egress.ts";
import { EgressError, toEgressError } from "./egress-error.ts";
import { Failures } from "./failures.ts";
import { forwardRequest, MAX_HEADER_BYTES } from "./forward-request.ts";
import { DEFAULT_LIMITS, type EgressLimits, Meter } from "./meter.ts";
import { openTunnel } from "./open-tunnel.ts";
import { keepLookups, type Lookup, systemLookups } from "./resolve.ts";
import { createDirectRoute } from "./route.ts";
import { createUpstreamRoute, type Upstream } from "./upstream-route.ts";

export interface EgressOptions extends PolicyOptions {
  upstream?: Upstream;
  limits?: Partial<EgressLimits>;
  lookup?: Lookup;
}

/** Chromium opens at most 32 connections to a proxy, and WebSockets besides. */
const MAX_CLIENTS = 512;

/**
 * Starts the forward proxy of one run's browser.
 *
 * It is written on node:http and not taken from a package: bounds, refusals and a pool of connections bound to checked
 * addresses are most of it. Compared with proxy-chain 3 it carried 1.4 to 1.9 times as many small requests, costs a
 * browser no more than a bare TCP relay would, and parses both sides strictly where proxy-chain is lenient.
 *
 * It asks for no credentials. Playwright can give them only by intercepting every request with the cache off, which
 * made pages with 40 images a fifth to a third slower. And they would guard little: a local process reaches exempted
 * local hosts without us, and a page in another browser can't send the forms of request that we take.
 */
export async function startEgress(options: EgressOptions): Promise<Egress> {
  const limits = { ...DEFAULT_LIMITS, ...options.limits };
  const { idleMs, connectMs } = limits;
  const judge = createPolicy(options);
  const meter = new Meter(limits);
  const failures = new Failures();
  const sockets = new Set<Socket>();
  let port = 0;
  let closed = false;

  const track = (socket: Socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
    if (closed) socket.destroy();
  };
  const routeOptions = {
    dial: createDial(connectMs, track),
    lookup: keepLookups(options.lookup ?? systemLookups),
    timeoutMs: connectMs,
  };
  const route = options.upstream
    ? createUpstreamRoute(options.upstream, routeOptions)
    : createDirectRoute(routeOptions);
  const kept = new Connections(route.connect, { keepAlive: true, timeout: idleMs });
  const single = new Connections(route.connect, { keepAlive: false, timeout: idleMs });

  const admit = (url: URL | null): Target => {
    if (url?.protocol !== "http:")
      throw new EgressError("bad_request", "This is a proxy for http and CONNECT");
    meter.countRequest();
    const target = judge(url);
    // Only an exemption could lead back here, and then in a loop without end.
    if (target.exempt && target.port === port) {
      throw new EgressError("blocked_address", `${target.name} can't be reached: it is this proxy`);
    }
    return target;
  };

  const onRequest = (incoming: IncomingMessage, response: ServerResponse) => {
    const url = URL.parse(incoming.url as string);
    const onOutcome = (error: EgressError | null) => url && failures.record(targetName(url), error);
    try {
      const target = admit(url);
      forwardRequest(incoming, response, {
        target,
        url: url as URL,
        route,
        kept,
        single,
        idleMs,
        meter,
        onOutcome,
      });
    } catch (error) {
      const known = toEgressError(error, "the site");
      onOutcome(known);
      answerRequest(response, known);
    }
  };

  const onConnect = async (incoming: IncomingMessage, client: Socket, head: Buffer) => {
    client.on("error", () => client.destroy());
    const url = parseAuthority(incoming.url as string);
    const onOutcome = (error: EgressError | null) => url && failures.record(targetName(url), error);
    try {
      const outside = await route.tunnel(admit(url));
      onOutcome(null);
      openTunnel({ client, head, outside, meter, idleMs });
    } catch (error) {
      const known = toEgressError(error, "the site");
      onOutcome(known);
      answerConnect(client, known);
    }
  };

  const server = createServer({ maxHeaderSize: MAX_HEADER_BYTES, noDelay: true, keepAliveTimeout: idleMs });
  server.maxConnections = MAX_CLIENTS;
  server.on("connection", track);
  server.on("request", onRequest);
  server.on("connect", onConnect);
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", resolve);
  });
  port = (server.address() as AddressInfo).port;

  return {
    proxyUrl: `http://127.0.0.1:${port}`,
    via: options.upstream?.name ?? null,
    wasRefused: (url) => failures.of(url)?.code === "blocked_address",
    proxyFault(url) {
      const code = failures.of(url)?.code;
      const isFault = code === "upstream_failed" || code === "upstream_refused";
      return isFault ? { transient: code === "upstream_failed" } : null;
    },
    failureOf: (url) => failures.of(url)?.message ?? null,
    limitExceeded: () => meter.exceeded,
    close: () =>
      new Promise((resolve) => {
        closed = true;
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}
