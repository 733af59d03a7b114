import { isIP } from "node:net";
import ipaddr from "ipaddr.js";
import { EgressError } from "./egress-error.ts";

const PORTS = [80, 443, 8080, 8443];
const DEFAULT_PORTS: Record<string, number> = { "http:": 80, "ws:": 80, "https:": 443, "wss:": 443 };

/** The only IPv6 block that IANA hands out for the public internet; everything outside it is special. */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR("2000::/3");
/** Azure's host endpoint: metadata and keys of the virtual machine, on an address of a public range. */
const AZURE_HOST = "168.63.129.16";

/**
 * Whether an address, as the resolver or a normalised URL spells it, belongs to the public internet. IPv4 addresses
 * inside IPv6 (mapped, compatible, NAT64, 6to4, Teredo) are not, whatever they carry: no public site needs them, and
 * which machine they reach depends on the network that we happen to be in.
 */
export function isPublicAddress(address: string): boolean {
  // isIP takes canonical spellings only, while ipaddr.js would also read "0177.1". A zone id names a local link.
  if (isIP(address) === 0 || address.includes("%")) return false;
  const parsed = ipaddr.parse(address);
  if (parsed.range() !== "unicast") return false;
  return parsed instanceof ipaddr.IPv6 ? parsed.match(GLOBAL_UNICAST) : address !== AZURE_HOST;
}

/** A host and port that the policy let through so far: its addresses are still to be checked unless `exempt`. */
export interface Target {
  /** A name, or an address without brackets. */
  host: string;
  port: number;
  /** `host:port`, one spelling for each host: what people are told and what is remembered. */
  name: string;
  /** Whether the operator allows exactly this host and port, whatever its addresses are. */
  exempt: boolean;
  /** What a person can do if the target is refused. */
  refusalAdvice?: string | undefined;
}

export interface PolicyOptions {
  /** `host:port` that may be reached whatever its address is, e.g. `127.0.0.1:4100`, `[::1]:80`. */
  allowHosts: readonly string[];
  /** Ports besides 80, 443, 8080 and 8443. */
  allowPorts?: readonly number[];
  /** What a person can do if this `host:port` is refused, as a sentence. */
  refusalAdvice?: (name: string) => string;
}

/** @throws EgressError `blocked_address` for a port that may not be reached. */
export type Judge = (url: URL) => Target;

/** Host texts are compared as WHATWG URL spells them, so 0x7f.1, 2130706433 and 127.0.0.1 are one host. */
export function createPolicy({ allowHosts, allowPorts = [], refusalAdvice }: PolicyOptions): Judge {
  const exempted = new Set(allowHosts.map(parseAllowedHost));
  const ports = new Set([...PORTS, ...allowPorts]);
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

/** `host:port` of a URL; a trailing dot makes no other host. */
export function targetName(url: URL): string {
  return `${url.hostname.replace(/\.$/, "")}:${portOf(url)}`;
}

function portOf(url: URL): number {
  return url.port === "" ? (DEFAULT_PORTS[url.protocol] ?? 0) : Number(url.port);
}

/** `host:port` as a URL, or null where it is anything else or more than that. */
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

/** Throws unless every address may be reached: one private address among public ones is an attack or a mistake. */
export function assertReachable(target: Target, addresses: readonly string[]): void {
  if (target.exempt || addresses.every(isPublicAddress)) return;
  throw refused(target, "it is not a public address");
}

function refused({ name, refusalAdvice }: Target, reason: string): EgressError {
  const advice = refusalAdvice === undefined ? "" : `. ${refusalAdvice}`;
  return new EgressError("blocked_address", `${name} can't be reached: ${reason}${advice}`);
}
