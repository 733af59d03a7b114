import { request } from "node:http";
import { isIP, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import { EgressError, toEgressError } from "../egress-error.ts";
import type { Target } from "../policy/address-policy.ts";
import type { ResponseHead } from "../proxy/response-head.ts";
import { resolveChecked } from "./resolve.ts";
import { challengeOf, type Route, type RouteOptions } from "./route.ts";

/** An upstream proxy of the operator for all traffic of a run. */
export interface Upstream {
  /** `http://user:password@host:port`, or `https:` for a TLS connection to the proxy itself. */
  url: string;
  /** Its name in messages, which reveal neither its address nor its password: `the residential proxy for Peru`. */
  name: string;
}

interface ProxyUrl {
  secure: boolean;
  host: string;
  port: number;
  /** Value of the Proxy-Authorization header; undefined: the proxy needs none. */
  authorization: string | undefined;
}

/** The parts of an upstream proxy's address; undefined if the address is invalid. */
export function parseProxyUrl(text: string): ProxyUrl | undefined {
  const url = URL.parse(text);
  if (url?.protocol !== "http:" && url?.protocol !== "https:") return undefined;
  if (url.pathname !== "/" || url.search !== "" || url.hash !== "") return undefined;
  const secure = url.protocol === "https:";
  try {
    const credentials = [url.username, url.password].map(decodeURIComponent).join(":");
    return {
      secure,
      host: url.hostname.replace(/^\[|\]$/g, ""),
      port: Number(url.port || (secure ? 443 : 80)),
      authorization: credentials === ":" ? undefined : `Basic ${Buffer.from(credentials).toString("base64")}`,
    };
  } catch {
    // A percent sign that should have been %25.
    return undefined;
  }
}

/**
 * The upstream proxy resolves names itself, so the check here is only a first one: it refuses addresses that are private
 * for the service. The proxy must protect its own network. No message contains the proxy's address or credentials.
 */
export function createUpstreamRoute(upstream: Upstream, { dial, lookup, timeoutMs }: RouteOptions): Route {
  const { name } = upstream;
  const url = parseProxyUrl(upstream.url);
  if (url === undefined) throw new Error("The upstream proxy's address must be an http:// or https:// URL");
  const { host, port } = url;
  const proxy: Target = { host, port, name, exempt: true };
  const authorization = url.authorization ? ["Proxy-Authorization", url.authorization] : [];
  const check = async (target: Target) => {
    if (!target.exempt) await resolveChecked(target, lookup, timeoutMs);
  };
  const connect = async () => {
    try {
      const socket = await dial(proxy, await resolveChecked(proxy, lookup, timeoutMs));
      return url.secure ? await encrypt(socket, proxy, timeoutMs) : socket;
    } catch (error) {
      throw proxyFault(toEgressError(error, name), name);
    }
  };
  /** Whether the proxy has accepted the credentials during this run. */
  let isAccepted = false;
  const tunnel = async (target: Target) => {
    try {
      const socket = await requestTunnel(await connect(), target, { name, authorization, timeoutMs });
      isAccepted = true;
      return socket;
    } catch (error) {
      if (isRefusal(error)) isAccepted = false;
      throw error;
    }
  };

  let signedIn: Promise<void> | undefined;
  /**
   * Opens a tunnel before the first plain request. If credentials are demanded after the proxy has accepted them, it was the
   * site. Credentials that the proxy has refused are not sent again.
   */
  const signIn = (target: Target) => {
    signedIn ??= tunnel(target).then(
      (socket) => void socket.destroy(),
      (error) => {
        if (isRefusal(error)) throw error;
        // Otherwise, the proxy opens no such tunnels, which says nothing about its credentials.
        if (!(error instanceof EgressError) || error.code !== "upstream_failed") return;
        signedIn = undefined;
        throw error;
      },
    );
    return signedIn;
  };

  /** Whose challenge a response with status 407 is: a site's comes through the proxy like any other response. */
  const challenger = async ({ rawHeaders }: ResponseHead, target: Target) => {
    // A proxy names its scheme, and removes a site's. A password that was refused must not be sent again.
    const namesScheme = rawHeaders.some((text, i) => i % 2 === 0 && /^proxy-authenticate$/i.test(text));
    if (!isAccepted && namesScheme) return refused(name);
    try {
      (await tunnel(target)).destroy();
    } catch (error) {
      if (isRefusal(error)) return error;
    }
    return challengeOf(target);
  };

  return {
    async check(target) {
      await check(target);
      if (url.authorization && !isAccepted) await signIn(target);
    },
    connect,
    hop: (target, { pathname, search }) => ({
      host,
      port,
      path: `http://${target.name}${pathname}${search}`,
      headers: authorization,
    }),
    tunnel: async (target) => {
      await check(target);
      return tunnel(target);
    },
    refusal(answer, target) {
      if (answer.status === 407) return challenger(answer, target);
      isAccepted = true;
      return undefined;
    },
  };
}

const refused = (name: string) => new EgressError("upstream_refused", `${name} refused its credentials`);

const isRefusal = (error: unknown): error is EgressError =>
  error instanceof EgressError && error.code === "upstream_refused";

interface TunnelOptions {
  /** The proxy's name in messages. */
  name: string;
  /** Headers with its credentials. */
  authorization: readonly string[];
  timeoutMs: number;
}

/** Requests a tunnel from the upstream proxy on `socket`. */
function requestTunnel(
  socket: Socket,
  target: Target,
  { name, authorization, timeoutMs }: TunnelOptions,
): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const fail = (error: EgressError) => {
      socket.destroy();
      reject(error);
    };
    const headers = ["Host", target.name, "Connection", "keep-alive", ...authorization];
    const sent = request({ createConnection: () => socket, method: "CONNECT", path: target.name, headers });
    // Not an idle timeout, which informational responses without end would never let fire.
    const timer = setTimeout(
      () => fail(new EgressError("timeout", `${target.name} was not reached in time`)),
      timeoutMs,
    );
    sent.on("close", () => clearTimeout(timer));
    sent.on("connect", ({ statusCode }, _socket, head: Buffer) => {
      clearTimeout(timer);
      if (statusCode === 407) fail(refused(name));
      else if (statusCode !== 200) {
        fail(new EgressError("connect_failed", `the proxy answered ${statusCode} for ${target.name}`));
      } else {
        if (head.length > 0) socket.unshift(head);
        resolve(socket);
      }
    });
    sent.on("error", (error) => fail(proxyFault(toEgressError(error, name), name)));
    sent.end();
  });
}

/** Starts TLS on a connection to the proxy, which must have a certificate for its name. */
function encrypt(socket: Socket, { host, name }: Target, timeoutMs: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const servername = isIP(host) === 0 ? host : "";
    const secure = connectTls({ socket, host, servername, ALPNProtocols: ["http/1.1"] });
    const timer = setTimeout(() => secure.destroy(new EgressError("timeout", name)), timeoutMs);
    secure.once("secureConnect", () => {
      clearTimeout(timer);
      resolve(secure);
    });
    // Never removed, so that every error is handled.
    secure.on("error", reject);
    secure.once("close", () => {
      clearTimeout(timer);
      reject(new EgressError("connect_failed", `The connection to ${name} was closed`));
    });
  });
}

/** A failure between the service and the proxy, without the proxy's host name. */
function proxyFault({ code, message }: EgressError, name: string): EgressError {
  if (code === "name_not_found") return new EgressError("upstream_failed", `${name} was not found`);
  if (code === "timeout") return new EgressError("upstream_failed", `${name} did not answer in time`);
  return new EgressError("upstream_failed", message);
}
