import type { LookupAddress } from "node:dns";
import { lookup as systemLookup } from "node:dns/promises";
import { isIP, type LookupFunction } from "node:net";
import { EgressError } from "../egress-error.ts";
import { assertReachable, type Target } from "../policy/address-policy.ts";

/** All addresses of a name. */
export type Lookup = (host: string) => Promise<LookupAddress[]>;

export const systemLookups: Lookup = (host) => systemLookup(host, { all: true });

/** These names always mean this machine (RFC 6761), as in browsers. */
const LOCALHOST = /(^|\.)localhost\.?$/;
const LOOPBACK: LookupAddress[] = [
  { address: "127.0.0.1", family: 4 },
  { address: "::1", family: 6 },
];

const KEPT_MS = 30_000;
const KEPT_NAMES = 1_000;

/** Caches lookups, because a page opens several connections to each of its hosts. */
export function keepLookups(lookup: Lookup): Lookup {
  const kept = new Map<string, { until: number; answer: Promise<LookupAddress[]> }>();
  return (host) => {
    const known = kept.get(host);
    if (known && known.until > Date.now()) return known.answer;
    kept.delete(host);
    if (kept.size >= KEPT_NAMES) kept.delete(kept.keys().next().value as string);
    const answer = lookup(host);
    kept.set(host, { until: Date.now() + KEPT_MS, answer });
    answer.catch(() => kept.delete(host));
    return answer;
  };
}

/**
 * The checked addresses of a target.
 * @throws EgressError `blocked_address`, `name_not_found`, `timeout`
 */
export async function resolveChecked(
  target: Target,
  lookup: Lookup,
  timeoutMs: number,
): Promise<LookupAddress[]> {
  const family = isIP(target.host);
  const addresses =
    family === 0 ? await lookUp(target.host, lookup, timeoutMs) : [{ address: target.host, family }];
  const texts = addresses.map(({ address }) => address);
  assertReachable(target, texts);
  return addresses;
}

async function lookUp(host: string, lookup: Lookup, timeoutMs: number): Promise<LookupAddress[]> {
  if (LOCALHOST.test(host)) return LOOPBACK;
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => late.reject(new EgressError("timeout", `The name ${host} was not resolved in time`)),
    timeoutMs,
  ).unref();
  try {
    // An error of the resolver means the same as no addresses.
    const addresses = await Promise.race([lookup(host).catch(() => []), late.promise]);
    if (addresses.length > 0) return addresses;
    throw new EgressError("name_not_found", `The name ${host} was not found`);
  } finally {
    clearTimeout(timer);
  }
}

/** A lookup function that returns only these addresses. A second lookup could return an unchecked one. */
export function pinned(addresses: LookupAddress[]): LookupFunction {
  return (_host, options, callback) => {
    const [first] = addresses as [LookupAddress];
    if (options.all) callback(null, addresses);
    else callback(null, first.address, first.family);
  };
}
