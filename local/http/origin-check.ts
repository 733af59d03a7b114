import type { IncomingHttpHeaders } from "node:http";
import { isIP } from "node:net";

/**
 * The status and message with which to refuse a request because of its Host or Origin header; undefined if it is
 * allowed. A malicious web page can reach servers on loopback in two ways: from its own origin, which the Origin header
 * shows, or by DNS rebinding, in which case the Host header has the name of the page's host. IP addresses can't be
 * rebound.
 */
export function refusalOf(
  { host, origin }: Pick<IncomingHttpHeaders, "host" | "origin">,
  names: readonly string[],
): [status: number, message: string] | undefined {
  const name = host === undefined ? "localhost" : hostnameOf(`http://${host}`);
  if (name === undefined) return [400, "The Host header is not valid."];
  if (!isLocal(name) && !names.some((known) => known.toLowerCase() === name)) {
    return [421, `This service is not ${name}. Start it with --name ${name} if it is.`];
  }
  if (origin !== undefined && origin !== `http://${host}` && origin !== `https://${host}`) {
    return [403, "Web pages of other origins can't use this service."];
  }
  return undefined;
}

function hostnameOf(url: string): string | undefined {
  const parsed = URL.parse(url);
  return parsed === null || parsed.pathname !== "/" || parsed.username !== "" ? undefined : parsed.hostname;
}

const isLocal = (name: string) => name === "localhost" || isIP(name.replace(/^\[|\]$/g, "")) !== 0;
