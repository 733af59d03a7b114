import type { Cookie as SetCookie } from "set-cookie-parser";
import { parseSetCookie } from "set-cookie-parser";
import { BrowserRequired } from "./browser-required.ts";

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

/** The folder of an address, which is the default path of a cookie (RFC 6265, section 5.1.4). */
const folderOf = (url: string): string => new URL(url).pathname.replace(/\/[^/]*$/, "") || "/";

/** @throws BrowserRequired where a cookie has attributes that only the browser can judge */
function toSet({ name, value, path, domain, ...cookie }: SetCookie, url: string): CookieToSet {
  if (name === "" || cookie.partitioned)
    throw new BrowserRequired("it sets a cookie that only the browser can store");
  const sameSite = SAME_SITE[cookie.sameSite?.toLowerCase() as keyof typeof SAME_SITE];
  const ends = cookie.maxAge === undefined ? cookie.expires?.getTime() : Date.now() + cookie.maxAge * 1_000;
  return {
    name,
    value,
    path: path?.startsWith("/") ? path : folderOf(url),
    domain: domain ? `.${domain.replace(/^\./, "")}` : new URL(url).hostname,
    secure: cookie.secure ?? false,
    httpOnly: cookie.httpOnly ?? false,
    ...(sameSite && { sameSite }),
    ...(ends !== undefined && Number.isFinite(ends) && { expires: ends / 1_000 }),
  };
}

/**
 * The cookies in the `Set-Cookie` headers of a response.
 * @throws BrowserRequired
 */
export const cookiesToSet = (lines: readonly string[], url: string): CookieToSet[] =>
  parseSetCookie(lines, { decodeValues: false, split: false }).map((cookie) => toSet(cookie, url));
