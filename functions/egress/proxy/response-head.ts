import { EgressError } from "../egress-error.ts";

/** The limit of Chromium. */
export const MAX_HEADER_BYTES = 256 * 1024;

/** How the end of a body is found. `close`: it ends when the site closes the connection. */
export type Framing = { by: "length"; bytes: number } | { by: "chunks" } | { by: "close" };

/** A response without its body, in a form that is valid HTTP/1.1. */
export interface ResponseHead {
  status: number;
  reason: string;
  /** Name, value, name, value, as Latin-1. `Content-Length` is there if the body has that length. */
  rawHeaders: string[];
  framing: Framing;
  /** Whether it is well-formed and the site keeps the connection open, so that another response may follow. */
  isReusable: boolean;
}

const TOKEN = /^[!#$%&'*+\-.^_`|~\dA-Za-z]+$/;
/** Characters that HTTP does not allow in values. */
const CONTROL = /[^\t\x20-\x7e\x80-\xff]/;
const WELL_FORMED =
  /^HTTP\/1\.1 [1-9]\d\d(?: [\t\x20-\x7e\x80-\xff]*)?\r\n(?:[!#$%&'*+\-.^_`|~\dA-Za-z]+:[\t\x20-\x7e\x80-\xff]*\r\n)*\r\n$/;
const STATUS_LINE = /^http(?:\/(\d+)\.(\d+))?[^ ]*(?: +(\d+))? *(.*)$/is;
/** The digits that Chromium reads as a length; it ignores others. */
const LENGTH = /^\d{1,15}$/;

/** Where the head of a response ends in `bytes`, which are Latin-1; -1: not yet. */
export function endOfHead(bytes: string): number {
  const end = /\n\r?\n/.exec(bytes);
  return end === null ? -1 : end.index + end[0].length;
}

/**
 * Where the status line begins. Chromium skips up to four bytes, such as the rest of an earlier response.
 * @returns undefined if the bytes are not HTTP; null if there are too few of them to tell
 */
export function startOfHead(bytes: string): number | undefined | null {
  const start = bytes.slice(0, 8).search(/http/i);
  if (start >= 0) return start;
  return bytes.length < 8 ? null : undefined;
}

/**
 * Reads the head of a response as Chromium does (net/http/http_util.cc and http_response_headers.cc). Lines may end with a
 * line feed alone, names may be followed by spaces, values may be folded, and lines that are no headers are ignored.
 * @param text Latin-1, from the status line on
 * @throws EgressError `connect_failed` if Chromium would not read it either
 */
export function parseHead(text: string, name: string): ResponseHead {
  const [statusLine = "", ...lines] = text.replaceAll("\0", "").split(/[\r\n]+/);
  const [, major = "1", minor = "0", digits = "200", reason = ""] = STATUS_LINE.exec(statusLine) ?? [];
  const status = Number(digits);
  if (status < 100 || status > 999)
    throw new EgressError("connect_failed", `${name} answered with the invalid HTTP status ${digits}`);
  const isHttp11 = Number(major) > 1 || (major === "1" && minor !== "0");
  const headers = headersOf(lines);
  const lengths = valuesOf(headers, "content-length");
  const codings = valuesOf(headers, "transfer-encoding");
  const framing = framingOf({ status, lengths, isChunked: isHttp11 && codings.includes("chunked") }, name);
  const isReusable =
    WELL_FORMED.test(text) &&
    lengths.length + codings.length <= 1 &&
    framing.by !== "close" &&
    !valuesOf(headers, "connection").includes("close");
  return {
    status,
    reason: reason.replace(new RegExp(CONTROL, "g"), ""),
    rawHeaders: validHeaders(headers, framing),
    framing,
    isReusable,
  };
}

type Header = [name: string, value: string];

function headersOf(lines: readonly string[]): Header[] {
  const headers: Header[] = [];
  let isContinuable = false;
  for (const line of lines) {
    const last = headers.at(-1);
    if (isContinuable && last && /^[ \t]/.test(line)) {
      last[1] += ` ${line.trim()}`;
      continue;
    }
    const colon = line.indexOf(":");
    isContinuable = colon > 0 && !/^[ \t]/.test(line);
    if (isContinuable) headers.push([line.slice(0, colon).trim(), line.slice(colon + 1)]);
  }
  return headers.map(([name, value]) => [name, value.replace(/^[ \t]+|[ \t]+$/g, "")]);
}

/** The elements of a list header, in lower case. */
const valuesOf = (headers: readonly Header[], wanted: string): string[] =>
  headers
    .filter(([name]) => name.toLowerCase() === wanted)
    .flatMap(([, value]) => value.split(","))
    .map((value) => value.trim().toLowerCase())
    .filter((value) => value !== "");

interface FramingHeaders {
  status: number;
  lengths: readonly string[];
  isChunked: boolean;
}

function framingOf({ status, lengths, isChunked }: FramingHeaders, name: string): Framing {
  if (status < 200 || status === 204 || status === 205 || status === 304) return { by: "length", bytes: 0 };
  if (isChunked) return { by: "chunks" };
  const [length = ""] = lengths;
  if (lengths.some((other) => other !== length))
    throw new EgressError("connect_failed", `${name} states two lengths for one response`);
  return LENGTH.test(length) ? { by: "length", bytes: Number(length) } : { by: "close" };
}

/**
 * The headers that can be sent on: with a single `Content-Length`, where that delimits the body. A value with a control
 * character would be invalid; Chromium ignores a cookie with one.
 */
function validHeaders(headers: readonly Header[], framing: Framing): string[] {
  const kept: string[] = [];
  let hasLength = framing.by !== "length";
  for (const [name, value] of headers) {
    if (!TOKEN.test(name) || CONTROL.test(value)) continue;
    if (name.toLowerCase() !== "content-length") {
      kept.push(name, value);
      continue;
    }
    const [length = ""] = value.split(",", 1);
    if (!hasLength && LENGTH.test(length.trim())) kept.push(name, length.trim());
    hasLength = true;
  }
  return kept;
}
