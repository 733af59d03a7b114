/** Headers that apply to one connection and are never forwarded. The proxy itself answers `expect`. */
const HOP_BY_HOP = new Set([
  "connection",
  "expect",
  "keep-alive",
  "proxy-authenticate",
  "proxy-authorization",
  "proxy-connection",
  "proxy-status",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);

/** Headers that a Connection header must not remove, because they delimit messages. */
const FRAMING = new Set(["content-length", "host"]);

/**
 * The end-to-end headers in `rawHeaders` (name, value, name, value). Order and case stay, because sites use them to
 * distinguish browsers from scripts.
 */
export function endToEnd(rawHeaders: readonly string[]): string[] {
  const named = connectionOptions(rawHeaders);
  const kept: string[] = [];
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] as string;
    const lower = name.toLowerCase();
    if (HOP_BY_HOP.has(lower) || named?.has(lower)) continue;
    kept.push(name, rawHeaders[i + 1] as string);
  }
  return kept;
}

/** Additional hop-by-hop headers named by Connection headers; undefined in the common case of none. */
function connectionOptions(rawHeaders: readonly string[]): Set<string> | undefined {
  let named: Set<string> | undefined;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    if ((rawHeaders[i] as string).toLowerCase() !== "connection") continue;
    for (const part of (rawHeaders[i + 1] as string).split(",")) {
      const option = part.trim().toLowerCase();
      if (option === "keep-alive" || option === "close" || FRAMING.has(option)) continue;
      named ??= new Set();
      named.add(option);
    }
  }
  return named;
}

/** A request's headers for the next hop. Host comes from the address, not from the client's Host header. */
export function requestHeaders(rawHeaders: readonly string[], host: string, chunked: boolean): string[] {
  const headers = ["Host", host];
  const kept = endToEnd(rawHeaders);
  for (let i = 0; i < kept.length; i += 2) {
    if ((kept[i] as string).toLowerCase() !== "host") headers.push(kept[i] as string, kept[i + 1] as string);
  }
  if (chunked) headers.push("Transfer-Encoding", "chunked");
  return headers;
}
