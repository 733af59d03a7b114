import { isIP } from "node:net";
import ipaddr from "ipaddr.js";
import { EgressError } from "../egress-error.ts";

/** The ports of public hosts that may be reached. */
export const PUBLIC_PORTS = [80, 443, 8080, 8443];
const DEFAULT_PORTS: Record<string, number> = { "http:": 80, "ws:": 80, "https:": 443, "wss:": 443 };

/** The only IPv6 block that IANA assigns to the public internet. */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR("2000::/3");
/** The host endpoint of Azure: metadata and keys of the virtual machine, at an address in a public range. */
const AZURE_HOST = "168.63.129.16";

/**
 * Whether an address from the resolver or a normalized URL belongs to the public internet. IPv4 addresses embedded in
 * IPv6 (mapped, compatible, NAT64, 6to4, Teredo) never do: no public site needs them, and the network of the service
 * decides which machine they reach.
 */
export function isPublicAddress(address: string): boolean {
  // isIP accepts only canonical addresses, while ipaddr.js also parses "0177.1". A zone id means a local link.
  if (isIP(address) === 0 || address.includes("%")) return false;
  const parsed = ipaddr.parse(address);
  if (parsed.range() !== "unicast") return false;
  return parsed instanceof ipaddr.IPv6 ? parsed.match(GLOBAL_UNICAST) : address !== AZURE_HOST;
}

/** A host and port that the policy allows. Its addresses must still be checked, unless it is `exempt`. */
export interface Target {
  /** A name, or an address without brackets. */
  host: string;
  port: number;
  /** `host:port` in a normalized form, for messages and as a key. */
  name: string;
  /** Whether the operator allows exactly this host and port, whatever its addresses are. */
  exempt: boolean;
  /** What a person can do if the target is refused. */
  refusalAdvice?: string | undefined;
}

export interface PolicyOptions {
  /** Each `host:port` that is allowed with any address, such as `127.0.0.1:4100` or `[::1]:80`. */
  allowHosts: readonly string[];
  /** Ports in addition to 80, 443, 8080 and 8443. */
  allowPorts?: readonly number[];
  /** What a person can do if this `host:port` is refused, as a sentence. */
  refusalAdvice?: (name: string) => string;
}

/** @throws EgressError `blocked_address` for a port that is not allowed */
export type Judge = (url: URL) => Target;

/** Hosts are compared in the normalized form of WHATWG URL, so 0x7f.1, 2130706433 and 127.0.0.1 are the same host. */
export function createPolicy({ allowHosts, allowPorts = [], refusalAdvice }: PolicyOptions): Judge {
  const exempted = new Set(allowHosts.map(parseAllowedHost));
  const ports = new Set([...PUBLIC_PORTS, ...allowPorts]);
  return (url) => {
    const name = targetName(url);
    const port = portOf(url);
    const exempt = exempted.has(name);
    const host = url.hostname.replace(/^\[|\]$/g, "");
    const target = { host, port, name, exempt, refusalAdvice: refusalAdvice?.(name) };
    if (!exempt && !ports.has(port)) throw refused(target, `port ${port} is not allowed`);
    return target;
  };
}

/** `host:port` of a URL, without a trailing dot. */
export function targetName(url: URL): string {
  return `${url.hostname.replace(/\.$/, "")}:${portOf(url)}`;
}

function portOf(url: URL): number {
  return url.port === "" ? (DEFAULT_PORTS[url.protocol] ?? 0) : Number(url.port);
}

/** A `host:port` as a URL; null for any other text. */
export function parseAuthority(text: string): URL | null {
  if (!/^[^/?#@\\\s]+:\d{1,5}$/.test(text)) return null;
  return URL.parse(`http://${text}`);
}

function parseAllowedHost(text: string): string {
  const url = parseAuthority(text);
  if (url === null)
    throw new Error(`An allowed host must be host:port, such as 127.0.0.1:4100; got "${text}"`);
  return targetName(url);
}

/** Throws unless every address is allowed: a private address among public ones is an attack or a mistake. */
export function assertReachable(target: Target, addresses: readonly string[]): void {
  if (target.exempt || addresses.every(isPublicAddress)) return;
  throw refused(target, "it is not a public address");
}

function refused({ name, refusalAdvice }: Target, reason: string): EgressError {
  const advice = refusalAdvice === undefined ? "" : `. ${refusalAdvice}`;
  return new EgressError("blocked_address", `${name} can't be reached: ${reason}${advice}`);
}
