import { Readable } from "node:stream";

/** What is collected before the rest is streamed. */
const COLLECTED_BYTES = 1024 * 1024;

/**
 * A body ready to be sent: whole when it is small, so that it goes with a Content-Length, since many a small receiver
 * can't read chunked requests; otherwise a stream.
 */
export async function requestBody(
  body: string | AsyncIterable<string | Uint8Array>,
): Promise<Buffer | Readable> {
  if (typeof body === "string") return Buffer.from(body);
  const iterator = body[Symbol.asyncIterator]();
  const collected: Buffer[] = [];
  let length = 0;
  while (length < COLLECTED_BYTES) {
    const { value, done } = await iterator.next();
    if (done) return Buffer.concat(collected);
    const chunk = Buffer.from(value);
    collected.push(chunk);
    length += chunk.length;
  }
  const rest = async function* () {
    yield* collected;
    yield* { [Symbol.asyncIterator]: () => iterator };
  };
  return Readable.from(rest(), { objectMode: false });
}
