import { createServer } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { createDial } from "../connect/dial.ts";
import { keepLookups, type Lookup, systemLookups } from "../connect/resolve.ts";
import { createDirectRoute } from "../connect/route.ts";
import { createUpstreamRoute, type Upstream } from "../connect/upstream-route.ts";
import { EgressError } from "../egress-error.ts";
import { createPolicy, type PolicyOptions, type Target, targetName } from "../policy/address-policy.ts";
import type { Egress, MayReach } from "./egress.ts";
import { Failures } from "./failures.ts";
import type { Exchange } from "./forward-request.ts";
import { DEFAULT_LIMITS, type EgressLimits, Meter } from "./meter.ts";
import { proxyHandlers } from "./proxy-handlers.ts";
import { MAX_HEADER_BYTES } from "./response-head.ts";
import { Tunnels } from "./tunnels.ts";

export interface EgressOptions extends PolicyOptions {
  upstream?: Upstream;
  limits?: Partial<EgressLimits>;
  lookup?: Lookup;
  /** Called once, when the run exceeds a limit for all of its traffic. */
  onExceeded?: (reason: string) => void;
}

/** Chromium opens at most 32 connections to a proxy, not counting WebSockets. */
const MAX_CLIENTS = 512;

/**
 * Starts the forward proxy of one run's browser.
 *
 * It uses node:http instead of a package, because most of its code is limits, refusals and a pool of connections bound
 * to checked addresses, which proxy-chain 3 does not have. It also forwarded 1.4 to 1.9 times as many small requests per
 * second as proxy-chain 3, and it parses requests strictly. Responses are read by a parser of its own, as tolerantly as the
 * browser reads them: the parser of Node.js refuses a third of the odd responses that browsers show.
 *
 * It requires no credentials. Playwright can send them only if it intercepts every request without the cache, which made
 * pages with 40 images a fifth to a third slower. Credentials would protect little: a local process can reach exempt
 * local hosts directly, and a page in another browser can't send the kinds of request that this proxy accepts.
 */
export async function startEgress(options: EgressOptions): Promise<Egress> {
  const limits = { ...DEFAULT_LIMITS, ...options.limits };
  const { idleMs, connectMs } = limits;
  const judge = createPolicy(options);
  const meter = new Meter(limits, options.onExceeded ?? (() => {}));
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

  const admit = (url: URL | null): Target => {
    if (url?.protocol !== "http:") throw new EgressError("bad_request", "This proxy is for http and CONNECT");
    meter.countRequest();
    const target = judge(url);
    // Only an exempt address could lead back to this proxy, in an endless loop.
    if (target.exempt && target.port === port)
      throw new EgressError("blocked_address", `${target.name} can't be reached: it is this proxy`);
    return target;
  };
  let maySend: (authority: string) => boolean = () => true;
  let mayReach: MayReach = () => true;
  const tunnels = new Tunnels();
  const exchanges = new Set<Exchange>();
  const { onRequest, onConnect } = proxyHandlers({
    ...{ admit, route, failures, meter, idleMs, tunnels, exchanges },
    maySocketSend: (authority) => maySend(authority),
    mayReach: (authority) => mayReach(authority),
  });

  const server = createServer({ maxHeaderSize: MAX_HEADER_BYTES, noDelay: true, keepAliveTimeout: idleMs });
  server.maxConnections = MAX_CLIENTS;
  // For requests that never become complete. The timeout for the site's response is shorter.
  server.timeout = 2 * idleMs;
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
    ...reportOf(failures, options.refusalAdvice),
    checkSockets(check) {
      maySend = check;
    },
    checkTargets(check) {
      mayReach = check;
    },
    closeTunnels: (stays) => tunnels.close(stays),
    giveUp: (address) => giveUp(address, exchanges, tunnels),
    limitExceeded: () => meter.exceeded,
    close: () =>
      new Promise((resolve) => {
        closed = true;
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

function giveUp(address: string, exchanges: Iterable<Exchange>, tunnels: Tunnels): void {
  for (const exchange of exchanges) if (exchange.address === address) exchange.giveUp();
  const url = URL.parse(address);
  if (url?.protocol === "https:") tunnels.close((authority) => authority !== targetName(url));
}

/** What the run can ask about the failures of its requests. */
const reportOf = (failures: Failures, refusalAdvice: PolicyOptions["refusalAdvice"]) => ({
  wasRefused: (url: string) => failures.of(url)?.code === "blocked_address",
  refusalAdvice(address: string) {
    const url = URL.parse(address);
    return (url && refusalAdvice?.(targetName(url))) ?? null;
  },
  proxyFault(url: string) {
    const code = failures.of(url)?.code;
    const isFault = code === "upstream_failed" || code === "upstream_refused";
    return isFault ? { transient: code === "upstream_failed" } : null;
  },
  failureOf: (url: string) => failures.of(url)?.message ?? null,
});
