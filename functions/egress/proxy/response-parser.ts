import { Transform, type TransformCallback } from "node:stream";
import { EgressError } from "../egress-error.ts";
import {
  endOfHead,
  type Framing,
  MAX_HEADER_BYTES,
  parseHead,
  type ResponseHead,
  startOfHead,
} from "./response-head.ts";

/** The longest line between chunks, as in Chromium. */
const MAX_LINE_BYTES = 16 * 1024;
/** A last chunk of size 0, or a size that is followed by spaces or extensions. */
const CHUNK_SIZE = /^([\da-f]{1,12}) *(?:;.*)?$/is;
const STRICT_LINE = /^(?:[\da-f]+|)\r\n$/i;

export interface ResponseParserOptions {
  /** `host:port` of the site, for messages. */
  name: string;
  /** Whether the response answers a HEAD request, so that no body follows. */
  isHead: boolean;
  /** Whether a response without a head may be HTTP/0.9, which Chromium reads on the default port only. */
  isDefaultPort: boolean;
}

/**
 * Reads a site's bytes as a response, as tolerantly as Chromium, and outputs its body without chunks. Emits `head` once with
 * a ResponseHead, after `information` for each informational response, and `over` as soon as it needs no more bytes. Its end
 * does not say that the body is complete.
 */
export class ResponseParser extends Transform {
  readonly #options: ResponseParserOptions;
  /** Bytes of the head, or of a line between chunks, that are not complete. Latin-1. */
  #text = "";
  #head: ResponseHead | undefined;
  #framing: Framing = { by: "close" };
  /** The bytes that are missing of the body or of a chunk. */
  #missing = 0;
  /** What follows in a chunked body: its lines delimit chunks, and the last ones are trailers. */
  #next: "size" | "data" | "end of data" | "trailer" = "size";
  #isOver = false;
  #isComplete = false;
  #isWellFormed = true;

  constructor(options: ResponseParserOptions) {
    super();
    this.#options = options;
  }

  /** Whether the body has arrived as a whole. */
  get isComplete(): boolean {
    return this.#isComplete;
  }

  /** Whether the connection can carry another response. */
  get isReusable(): boolean {
    return this.#isComplete && this.#isWellFormed && (this.#head?.isReusable ?? false);
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    try {
      this.#read(this.#head === undefined ? this.#readHead(chunk) : chunk);
      done();
    } catch (error) {
      // A body ends where it can't be read on. It may have been used already.
      if (this.#head !== undefined) this.#end(false);
      done(this.#head === undefined ? (error as Error) : null);
    }
  }

  override _flush(done: TransformCallback): void {
    try {
      if (this.#head === undefined) this.#readRestAsHead();
      if (this.#framing.by === "close") this.#isComplete = true;
      done();
    } catch (error) {
      done(error as Error);
    }
  }

  /** Chromium takes a head that lacks its end as it is. */
  #readRestAsHead(): void {
    const { name } = this.#options;
    if (typeof startOfHead(this.#text) !== "number")
      throw new EgressError("connect_failed", `${name} closed the connection without an answer`);
    this.#readHead(Buffer.from("\n\n"));
  }

  #end(isComplete: boolean): void {
    this.#isOver = true;
    this.#isComplete = isComplete;
    this.emit("over");
  }

  /** @returns what follows the head */
  #readHead(chunk: Buffer): Buffer {
    const { name, isDefaultPort } = this.#options;
    let rest = chunk;
    for (;;) {
      const known = this.#text.length;
      this.#text += rest.toString("latin1");
      const start = startOfHead(this.#text);
      if (start === undefined && isDefaultPort) return this.#readHttp09();
      if (start === undefined) throw new EgressError("connect_failed", `${name} does not answer in HTTP`);
      const from = Math.max(0, known - 2);
      const end = start === null ? -1 : endOfHead(this.#text.slice(from));
      if ((end < 0 ? this.#text.length : from + end) > MAX_HEADER_BYTES)
        throw new EgressError("connect_failed", `${name} answered with headers of more than 256 kB`);
      if (end < 0) return Buffer.alloc(0);
      const head = parseHead(this.#text.slice(start ?? 0, from + end), name);
      rest = rest.subarray(from + end - known);
      this.#text = "";
      if (head.status >= 200 || head.status === 101) {
        this.#begin(head);
        return rest;
      }
      this.emit("information");
    }
  }

  #begin(head: ResponseHead): void {
    this.#head = head;
    this.#framing = this.#options.isHead ? { by: "length", bytes: 0 } : head.framing;
    if (this.#framing.by === "length") this.#missing = this.#framing.bytes;
    this.emit("head", head);
    if (this.#framing.by === "length" && this.#missing === 0) this.#end(true);
  }

  #readHttp09(): Buffer {
    const body = Buffer.from(this.#text, "latin1");
    this.#begin({ status: 200, reason: "OK", rawHeaders: [], framing: { by: "close" }, isReusable: false });
    return body;
  }

  #read(bytes: Buffer): void {
    let rest = bytes;
    while (rest.length > 0) {
      // Like browsers, this ignores bytes after the end of the response, for example because of a wrong length.
      if (this.#isOver) this.#isWellFormed = false;
      if (this.#isOver || this.destroyed) return;
      if (this.#framing.by === "close") return void this.push(rest);
      if (this.#framing.by === "length" || this.#next === "data") rest = this.#readData(rest);
      else rest = this.#readLine(rest);
    }
  }

  #readData(bytes: Buffer): Buffer {
    const data = bytes.subarray(0, this.#missing);
    this.#missing -= data.length;
    this.push(data);
    if (this.#missing === 0 && this.#framing.by === "length") this.#end(true);
    if (this.#missing === 0) this.#next = "end of data";
    return bytes.subarray(data.length);
  }

  #readLine(bytes: Buffer): Buffer {
    const end = bytes.indexOf("\n") + 1;
    this.#text += bytes.toString("latin1", 0, end || bytes.length);
    if (this.#text.length > MAX_LINE_BYTES) throw new Error("A line between chunks is too long");
    if (end === 0) return Buffer.alloc(0);
    this.#takeLine(this.#text);
    this.#text = "";
    return bytes.subarray(end);
  }

  /** @throws Error if a chunk does not follow */
  #takeLine(text: string): void {
    if (!STRICT_LINE.test(text)) this.#isWellFormed = false;
    const line = text.replace(/\r?\n$/, "");
    if (this.#next === "trailer") {
      if (line === "") this.#end(true);
    } else if (this.#next === "end of data") {
      if (line !== "") throw new Error("A chunk is longer than its size");
      this.#next = "size";
    } else {
      const [, digits] = CHUNK_SIZE.exec(line) ?? [];
      if (digits === undefined) throw new Error("A chunk has no size");
      this.#missing = Number.parseInt(digits, 16);
      this.#next = this.#missing === 0 ? "trailer" : "data";
    }
  }
}
