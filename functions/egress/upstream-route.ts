import { request } from "node:http";
import type { Socket } from "node:net";
import type { Target } from "./address-policy.ts";
import { EgressError, toEgressError } from "./egress-error.ts";
import { resolveChecked } from "./resolve.ts";
import type { Route, RouteOptions } from "./route.ts";

/** A proxy of the operator's that all traffic goes through, as `http://user:password@host:port`. */
export interface Upstream {
  url: string;
}

/**
 * The upstream proxy resolves names itself, so here they can only be checked ahead: what is private for us is
 * refused, and what its own network holds is for it to guard. Its credentials are in no message.
 */
export function createUpstreamRoute(upstream: Upstream, { dial, lookup, timeoutMs }: RouteOptions): Route {
  const url = URL.parse(upstream.url);
  if (url?.protocol !== "http:") throw new Error("The upstream proxy's address must be an http:// URL");
  const proxy: Target = {
    host: url.hostname.replace(/^\[|\]$/g, ""),
    port: Number(url.port || 80),
    name: "the upstream proxy",
    exempt: true,
  };
  const credentials = [url.username, url.password].map(decodeURIComponent).join(":");
  const authorization =
    credentials === ":"
      ? []
      : ["Proxy-Authorization", `Basic ${Buffer.from(credentials).toString("base64")}`];
  const check = async (target: Target) => {
    if (!target.exempt) await resolveChecked(target, lookup, timeoutMs);
  };
  const connect = async () => dial(proxy, await resolveChecked(proxy, lookup, timeoutMs));
  const challenged = ({ name }: Target) =>
    `${name} can't be reached: the upstream proxy refused its credentials`;

  /** Asks the upstream proxy on `socket` for a tunnel. */
  const ask = (socket: Socket, target: Target) =>
    new Promise<Socket>((resolve, reject) => {
      const fail = (code: "upstream_failed" | "timeout", message: string) => {
        socket.destroy();
        reject(new EgressError(code, message));
      };
      const headers = ["Host", target.name, "Connection", "keep-alive", ...authorization];
      const options = { createConnection: () => socket, method: "CONNECT", path: target.name, headers };
      socket.setTimeout(timeoutMs);
      const sent = request({ ...options, timeout: timeoutMs });
      sent.on("connect", ({ statusCode }, _socket, head: Buffer) => {
        socket.setTimeout(0);
        if (statusCode === 407) fail("upstream_failed", challenged(target));
        else if (statusCode !== 200) {
          fail("upstream_failed", `The upstream proxy answered ${statusCode} for ${target.name}`);
        } else {
          if (head.length > 0) socket.unshift(head);
          resolve(socket);
        }
      });
      sent.on("timeout", () => fail("timeout", `The upstream proxy did not reach ${target.name} in time`));
      sent.on("error", (error) => reject(toEgressError(error, proxy.name)));
      sent.end();
    });

  return {
    check,
    connect,
    hop: (target, { pathname, search }) => ({
      host: proxy.host,
      port: proxy.port,
      path: `http://${target.name}${pathname}${search}`,
      headers: authorization,
    }),
    tunnel: async (target) => {
      await check(target);
      return ask(await connect(), target);
    },
    challenged,
  };
}
