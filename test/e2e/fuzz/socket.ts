import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { type Received, textOf } from "../send.ts";

/** What goes over the wire: bytes, and between them pauses in milliseconds. */
export type Wire = (Buffer | string | number)[];

/** How the client ends what it has to say. */
export type End = "half-close" | "reset" | "wait";

/** Sends bytes as they are and reads until the service closes; undefined: it did not within the time. */
export async function exchange(
  url: string,
  wire: Wire,
  end: End,
  deadlineMs: number,
): Promise<Received[] | undefined> {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
  const chunks: Buffer[] = [];
  socket.on("data", (chunk) => void chunks.push(chunk));
  // A service that has closed does not take the rest: that is its right.
  socket.on("error", () => {});
  const closed = new Promise<true>((resolve) => {
    socket.once("close", () => resolve(true));
    socket.once("end", () => {
      socket.end();
      resolve(true);
    });
  });
  const written = (async () => {
    for (const part of wire) {
      if (typeof part === "number") await sleep(part);
      else if (socket.writable) socket.write(part);
    }
    if (end === "half-close") socket.end();
    if (end === "reset") socket.resetAndDestroy();
  })();
  const deadline = new AbortController();
  const over = sleep(deadlineMs, false, { signal: deadline.signal }).catch(() => false);
  const ended = await Promise.race([Promise.all([written, closed]).then(() => true), over]);
  deadline.abort();
  socket.destroy();
  return ended ? parseAnswers(Buffer.concat(chunks)) : undefined;
}

/** The answers in a stream of bytes, `100 Continue` left out. One that is cut short has the status 0. */
function parseAnswers(bytes: Buffer): Received[] {
  const answers: Received[] = [];
  let rest = bytes.toString("latin1");
  while (rest !== "") {
    const head = /^HTTP\/1\.1 (\d{3})[^\r\n]*\r\n((?:[^\r\n]+\r\n)*)\r\n/.exec(rest);
    if (head === null) return [...answers, { status: 0, headers: {}, text: rest }];
    const [all, status, lines = ""] = head;
    const headers = Object.fromEntries(
      lines
        .split("\r\n")
        .filter(Boolean)
        .map((line) => [
          line.slice(0, line.indexOf(":")).toLowerCase(),
          line.slice(line.indexOf(":") + 1).trim(),
        ]),
    );
    rest = rest.slice(all.length);
    if (status === "100") continue;
    const body =
      headers["transfer-encoding"] === "chunked" ? chunked(rest) : sized(rest, headers["content-length"]);
    if (body === undefined) return [...answers, { status: 0, headers, text: rest }];
    answers.push({
      status: Number(status),
      headers,
      text: textOf(Buffer.from(body.text, "latin1"), headers),
    });
    rest = rest.slice(body.length);
  }
  return answers;
}

interface Taken {
  text: string;
  /** What it took of the stream. */
  length: number;
}

function sized(rest: string, size: string | undefined): Taken | undefined {
  // Without a length, as an HTTP/1.0 client gets what is streamed, a body ends with its connection.
  const length = size === undefined ? rest.length : Number(size);
  return rest.length >= length ? { text: rest.slice(0, length), length } : undefined;
}

function chunked(rest: string): Taken | undefined {
  let text = "";
  for (let at = 0; ; ) {
    const size = /^([0-9a-f]+)\r\n/.exec(rest.slice(at, at + 12));
    if (size === null) return undefined;
    const start = at + size[0].length;
    const length = Number.parseInt(size[1] ?? "", 16);
    at = start + length + 2;
    if (rest.length < at) return undefined;
    if (length === 0) return { text, length: at };
    text += rest.slice(start, start + length);
  }
}
