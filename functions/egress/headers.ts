/** Headers that concern one connection and are never passed on; `expect` is answered by our own server. */
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

/** How a message's length is told is decided here alone: a Connection header must not be able to drop it. */
const FRAMING = new Set(["content-length", "host"]);

/**
 * The end-to-end part of `rawHeaders` (name, value, name, value), in its order and spelling, since sites tell
 * browsers from scripts by these.
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

/** What Connection headers name as hop-by-hop besides the usual; undefined in the common case of none. */
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

/** A request's headers for the next hop: Host is the address's own, whatever the client's Host header says. */
export function requestHeaders(rawHeaders: readonly string[], host: string, chunked: boolean): string[] {
  const headers = ["Host", host];
  const kept = endToEnd(rawHeaders);
  for (let i = 0; i < kept.length; i += 2) {
    if ((kept[i] as string).toLowerCase() !== "host") headers.push(kept[i] as string, kept[i + 1] as string);
  }
  if (chunked) headers.push("Transfer-Encoding", "chunked");
  return headers;
}
