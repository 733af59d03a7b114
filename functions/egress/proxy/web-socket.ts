const TLS_HANDSHAKE = 22;
const CLIENT_HELLO = 1;
const ALPN = 16;
/** A ClientHello takes some 2 kB. No browser sends a longer one. */
const MAX_HELLO_BYTES = 17_000;

/**
 * Tells a tunnel of a WebSocket from one of HTTPS by the first bytes that the browser sends: a WebSocket without TLS needs
 * a tunnel, plain HTTP does not; and one with TLS offers no HTTP/2. One inside an HTTP/2 connection is not seen.
 * @returns a function for each chunk of the browser's; true: a WebSocket, undefined: not yet known
 */
export function webSocketDetector(): (chunk: Buffer) => boolean | undefined {
  let hello = Buffer.alloc(0);
  let known: boolean | undefined;
  return (chunk) => {
    if (known !== undefined) return known;
    hello = Buffer.concat([hello, chunk]);
    if (hello.length === 0) return undefined;
    try {
      known = hello[0] !== TLS_HANDSHAKE || !protocolsIn(hello).includes("h2");
    } catch {
      // It is not complete.
      if (hello.length > MAX_HELLO_BYTES) known = true;
    }
    if (known !== undefined) hello = Buffer.alloc(0);
    return known;
  };
}

/** The protocols that a ClientHello offers (ALPN). @throws RangeError if it is not complete */
function protocolsIn(record: Buffer): string[] {
  let at = 5;
  const number = (bytes: number) => {
    at += bytes;
    return record.readUIntBE(at - bytes, bytes);
  };
  const skip = (bytes: number) => {
    at += bytes;
  };
  if (number(1) !== CLIENT_HELLO) return [];
  // Length, version and random; session id, ciphers and compressions.
  skip(3 + 2 + 32);
  skip(number(1));
  skip(number(2));
  skip(number(1));
  const end = number(2) + at;
  while (at < end) {
    const type = number(2);
    const length = number(2);
    if (type !== ALPN) {
      skip(length);
      continue;
    }
    const protocols: string[] = [];
    const last = number(2) + at;
    while (at < last) {
      const size = number(1);
      if (at + size > record.length) throw new RangeError("The record is not complete.");
      protocols.push(record.toString("latin1", at, at + size));
      skip(size);
    }
    return protocols;
  }
  return [];
}
