import { isIP } from "node:net";
import type { Cookie as SetCookie } from "set-cookie-parser";
import { parseSetCookie } from "set-cookie-parser";
import { isLoopback } from "../../egress/policy/is-loopback.ts";
import { BrowserRequired } from "./http-client.ts";

export interface Cookie {
  name: string;
  value: string;
}

/** A cookie as Playwright takes it. */
export interface CookieToSet extends Cookie {
  path: string;
  /** With a dot at its beginning: also of the hosts below. */
  domain: string;
  secure: boolean;
  httpOnly: boolean;
  sameSite?: "Strict" | "Lax" | "None";
  /** In seconds since the epoch. */
  expires?: number;
}

const SAME_SITE = { strict: "Strict", lax: "Lax", none: "None" } as const;

/** The latest end of a cookie that Playwright accepts: that of the year 9999, in seconds since the epoch. */
const LATEST = 253_402_300_799;

/**
 * An end in another form than the usual ones may be another time to the browser, or none. So may a year such as `50`,
 * which is in this century only for the browser.
 */
const UNUSUAL_END =
  /;\s*expires\s*=(?!\s*\w+,\s*\d\d?[ -]\w{3}[ -](?:\d{4}|[0-47-9]\d)\s+\d\d:\d\d:\d\d\s+GMT\s*(?:;|$))/i;

/** The folder of an address, which is the default path of a cookie (RFC 6265, section 5.1.4). */
const folderOf = (url: string): string => new URL(url).pathname.replace(/\/[^/]*$/, "") || "/";

const bare = (domain: string): string => domain.replace(/^\./, "").toLowerCase();

/**
 * Whether the browser stores a cookie that this address sets. It ignores those of other domains (RFC 6265, section 5.3),
 * and secure ones from an address that is not. Those of a public suffix, which it ignores too, would reach no page of the
 * site anyway.
 */
function isAccepted({ domain, secure }: SetCookie, url: string): boolean {
  const { protocol, hostname } = new URL(url);
  if (secure && protocol !== "https:" && !isLoopback(hostname)) return false;
  if (!domain || bare(domain) === hostname) return true;
  return hostname.endsWith(`.${bare(domain)}`) && isIP(hostname) === 0;
}

/** When a cookie ends, in ms since the epoch. One that is removed has ended at any time (RFC 6265, section 5.2.2). */
const endAfter = (seconds: number): number => (seconds > 0 ? Date.now() + seconds * 1_000 : 0);

/** @throws BrowserRequired where a cookie has attributes that only the browser can judge */
function toSet({ name, value, path, domain, ...cookie }: SetCookie, url: string): CookieToSet {
  if (name === "" || cookie.partitioned) throw onlyBrowser();
  const sameSite = SAME_SITE[cookie.sameSite?.toLowerCase() as keyof typeof SAME_SITE];
  const ends = cookie.maxAge === undefined ? cookie.expires?.getTime() : endAfter(cookie.maxAge);
  return {
    name,
    value,
    path: path?.startsWith("/") ? path : folderOf(url),
    domain: domain ? `.${bare(domain)}` : new URL(url).hostname,
    secure: cookie.secure ?? false,
    httpOnly: cookie.httpOnly ?? false,
    ...(sameSite && { sameSite }),
    ...(ends !== undefined && { expires: Math.min(Math.max(0, ends / 1_000), LATEST) }),
  };
}

/**
 * The cookies in the `Set-Cookie` headers of a response, without those that the browser ignores.
 * @throws BrowserRequired
 */
export function cookiesToSet(lines: readonly string[], url: string): CookieToSet[] {
  const cookies = parseSetCookie(lines, { decodeValues: false, split: false, silent: true });
  // The parser leaves out names such as `constructor`.
  if (cookies.length < lines.length || lines.some((line) => UNUSUAL_END.test(line))) throw onlyBrowser();
  return cookies.filter((cookie) => isAccepted(cookie, url)).map((cookie) => toSet(cookie, url));
}

export const onlyBrowser = () => new BrowserRequired("it sets a cookie that only the browser can store");
