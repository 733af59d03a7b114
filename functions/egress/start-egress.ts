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
import { createDial, type Lookup, lookupAll, resolveChecked } from "./dial.ts";
import type { Egress } from "./egress.ts";
import { EgressError, toEgressError } from "./egress-error.ts";
import { forwardRequest, MAX_HEADER_BYTES } from "./forward-request.ts";
import { DEFAULT_LIMITS, type EgressLimits, Meter } from "./meter.ts";
import { openTunnel } from "./open-tunnel.ts";

export interface EgressOptions extends PolicyOptions {
  limits?: Partial<EgressLimits>;
  lookup?: Lookup;
}

/** Hosts whose last failure is remembered; a page can name any number of them. */
const REMEMBERED_HOSTS = 1_000;
/** Chromium opens at most 32 connections to a proxy, and WebSockets besides. */
const MAX_CLIENTS = 512;

/** Starts the forward proxy for one run's browser. */
export async function startEgress(options: EgressOptions): Promise<Egress> {
  const limits = { ...DEFAULT_LIMITS, ...options.limits };
  const lookup = options.lookup ?? lookupAll;
  const judge = createPolicy(options);
  const meter = new Meter(limits);
  const failures = new Map<string, EgressError>();
  const sockets = new Set<Socket>();
  let port = 0;
  let closed = false;

  const track = (socket: Socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
    if (closed) socket.destroy();
  };
  const dial = createDial(limits.connectMs, track);
  const open = async (target: Target) => {
    const socket = await dial(target, await resolveChecked(target, lookup));
    failures.delete(target.name);
    return socket;
  };
  const kept = new Connections(open, { keepAlive: true, timeout: limits.idleMs });
  const single = new Connections(open, { keepAlive: false, timeout: limits.idleMs });

  const remember = (name: string, error: EgressError) => {
    failures.delete(name);
    if (failures.size >= REMEMBERED_HOSTS) failures.delete(failures.keys().next().value as string);
    failures.set(name, error);
  };

  const admit = (url: URL | null): Target => {
    if (url?.protocol !== "http:")
      throw new EgressError("bad_request", "This is a proxy for http and CONNECT");
    meter.countRequest();
    const target = judge(url);
    // Only an exemption could lead back here, in a loop without end.
    if (target.exempt && target.port === port) {
      throw new EgressError("blocked_address", `${target.name} can't be reached: it is this proxy`);
    }
    return target;
  };

  const server = createServer({
    maxHeaderSize: MAX_HEADER_BYTES,
    noDelay: true,
    keepAliveTimeout: limits.idleMs,
  });
  server.maxConnections = MAX_CLIENTS;
  server.on("connection", track);
  server.on("request", (incoming: IncomingMessage, response: ServerResponse) => {
    const url = URL.parse(incoming.url as string);
    const onFailure = (error: EgressError) => url && remember(targetName(url), error);
    try {
      const target = admit(url);
      forwardRequest(incoming, response, {
        target,
        url: url as URL,
        kept,
        single,
        idleMs: limits.idleMs,
        meter,
        onFailure,
      });
    } catch (error) {
      const known = toEgressError(error, incoming.headers.host ?? "");
      onFailure(known);
      answerRequest(response, known);
    }
  });
  server.on("connect", async (incoming: IncomingMessage, client: Socket, head: Buffer) => {
    client.on("error", () => client.destroy());
    const url = parseAuthority(incoming.url as string);
    try {
      const outside = await open(admit(url));
      if (client.destroyed) outside.destroy();
      else openTunnel(client, head, outside, meter, limits.idleMs);
    } catch (error) {
      const known = toEgressError(error, incoming.url as string);
      if (url) remember(targetName(url), known);
      answerConnect(client, known);
    }
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", resolve);
  });
  port = (server.address() as AddressInfo).port;

  const failureOf = (text: string) => {
    const url = URL.parse(text);
    return (url && failures.get(targetName(url))) ?? null;
  };
  return {
    proxyUrl: `http://127.0.0.1:${port}`,
    wasRefused: (url) => failureOf(url)?.code === "blocked_address",
    failureOf: (url) => failureOf(url)?.message ?? null,
    limitExceeded: () => meter.exceeded,
    close: () =>
      new Promise((resolve) => {
        closed = true;
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}
