import type { IncomingHttpHeaders } from "node:http";
import { isIP } from "node:net";

/**
 * Why a request is refused because of its origin; undefined: it is allowed. A web page can reach servers on loopback in two
 * ways: as another origin, and by DNS rebinding under its own name. An address can't be rebound.
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
