import { Readable } from "node:stream";

/** What is collected before the rest is streamed. */
const COLLECTED_BYTES = 1024 * 1024;
/** What is sent at once: a row each would be a packet each. */
const PIECE_BYTES = 64 * 1024;

/**
 * A body ready to be sent: whole when it is small, so that it goes with a Content-Length, since many a small receiver
 * can't read chunked requests; otherwise a stream.
 */
export async function requestBody(
  body: string | AsyncIterable<string | Uint8Array>,
): Promise<Buffer | Readable> {
  if (typeof body === "string") return Buffer.from(body);
  const pieces = inPieces(body);
  const collected: Buffer[] = [];
  let length = 0;
  while (length < COLLECTED_BYTES) {
    const { value, done } = await pieces.next();
    if (done) return Buffer.concat(collected);
    collected.push(value);
    length += value.length;
  }
  const all = async function* () {
    yield* collected;
    yield* pieces;
  };
  const stream = Readable.from(all(), { objectMode: false });
  // A stream that nobody read from does not end what it would have read.
  stream.once("close", () => void pieces.return().catch(() => {}));
  return stream;
}

async function* inPieces(body: AsyncIterable<string | Uint8Array>): AsyncGenerator<Buffer, void> {
  let piece: Buffer[] = [];
  let length = 0;
  for await (const part of body) {
    const buffer = Buffer.from(part as string);
    piece.push(buffer);
    length += buffer.length;
    if (length < PIECE_BYTES) continue;
    yield Buffer.concat(piece);
    piece = [];
    length = 0;
  }
  yield Buffer.concat(piece);
}
