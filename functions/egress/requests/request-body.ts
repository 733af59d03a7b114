import { Readable } from "node:stream";

/** How much is buffered before the rest is streamed. */
const COLLECTED_BYTES = 1024 * 1024;
/** The size of a piece. Without it, each row would be a packet. */
const PIECE_BYTES = 64 * 1024;

/**
 * A body to send. A small body is a buffer, which gets a Content-Length, because many simple receivers can't read chunked
 * requests. A large one is a stream.
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
  // A stream that was never read does not end its source.
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
