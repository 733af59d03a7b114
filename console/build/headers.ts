import { extname } from "node:path";
import { ASSETS } from "./files.ts";

/*
 * The response headers of the console's files, for the local service and for CloudFront. They are plain data, so that
 * the CDK stack can use them.
 */

/**
 * Allows nothing from other hosts, and no inline scripts or HTML from strings. `blob:` is for screenshots of runs,
 * which are fetched with the API key. `data:` is for screenshots of inspections.
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

/** The browser revalidates the index page at each load. The other files never change, so it keeps them. */
export const CACHE_CONTROL = {
  index: "no-cache",
  assets: "public, max-age=31536000, immutable",
} as const;

const CONTENT_TYPES: Record<string, string> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
  ".md": "text/markdown; charset=utf-8",
};

/** All response headers of the file at `path`, such as `index.html`. */
export function headersOf(path: string): Record<string, string> {
  return {
    ...SECURITY_HEADERS,
    "content-type": CONTENT_TYPES[extname(path)] ?? "application/octet-stream",
    "cache-control": path.startsWith(`${ASSETS}/`) ? CACHE_CONTROL.assets : CACHE_CONTROL.index,
  };
}
