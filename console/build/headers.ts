import { extname } from "node:path";
import { ASSETS } from "./files.ts";

/*
 * What the console's files are sent with, wherever they are served: by the local service or by CloudFront. They are
 * plain data, so that a stack can use them too.
 */

/**
 * Nothing comes from another host, and no text becomes code. `blob:` shows screenshots, which are fetched with the key;
 * `data:` shows those of inspections.
 */
export const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' blob: data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join("; ");

export const SECURITY_HEADERS = {
  "content-security-policy": CONTENT_SECURITY_POLICY,
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
  "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
} as const;

/** The page is asked for each time; the other files never change. */
export const CACHE_CONTROL = {
  index: "no-cache",
  assets: "public, max-age=31536000, immutable",
} as const;

const CONTENT_TYPES: Record<string, string> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
};

/** All headers of a file. */
export function headersOf(path: string): Record<string, string> {
  return {
    ...SECURITY_HEADERS,
    "content-type": CONTENT_TYPES[extname(path)] ?? "application/octet-stream",
    "cache-control": path.startsWith(`${ASSETS}/`) ? CACHE_CONTROL.assets : CACHE_CONTROL.index,
  };
}
