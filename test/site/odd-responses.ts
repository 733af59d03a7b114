/** A response with HTTP that is unusual or wrong, which browsers show all the same. */
export type OddResponse = (body: string) => string;

const TYPE = "Content-Type: text/html; charset=utf-8";
const bytesOf = (body: string) => Buffer.byteLength(body);
const length = (body: string) => `Content-Length: ${bytesOf(body)}`;

interface Parts {
  status?: string;
  /** After `Content-Type` and before `Content-Length`. */
  headers?: string;
  /** Instead of `Content-Length`. */
  framing?: (body: string) => string;
  /** Instead of the body. */
  content?: (body: string) => string;
}

const respond =
  ({ status = "HTTP/1.1 200 OK", headers = "", framing = length, content = (body) => body }: Parts) =>
  (body: string): string =>
    `${status}\r\n${TYPE}\r\n${headers && `${headers}\r\n`}${framing(body)}\r\n\r\n${content(body)}`;

const chunks =
  (size: (hex: string) => string) =>
  (body: string): string =>
    `${size(bytesOf(body).toString(16))}\r\n${body}\r\n0\r\n\r\n`;
const chunked = (size: (hex: string) => string = (hex) => hex, framing = "Transfer-Encoding: chunked") =>
  respond({ framing: () => framing, content: chunks(size) });
const lineFeeds = (response: OddResponse) => (body: string) => response(body).replaceAll("\r\n", "\n");

/** Each is shown by Chromium as a page with its whole body. */
export const ODD_RESPONSES: Record<string, OddResponse> = {
  plain: respond({}),
  "the same length twice": respond({ framing: (body) => `${length(body)}\r\n${length(body)}` }),
  "a list of the same length": respond({ framing: (body) => `${length(body)}, ${bytesOf(body)}` }),
  "a length next to chunks": chunked(undefined, "Content-Length: 5\r\nTransfer-Encoding: chunked"),
  "lines that end with a line feed": lineFeeds(respond({})),
  "chunks that end with a line feed": lineFeeds(chunked()),
  "spaces after the size of a chunk": chunked((hex) => `${hex}  `),
  "an extension of a chunk": chunked((hex) => `000${hex.toUpperCase()};a=b`),
  "a line that is no header": respond({ headers: "Garbage header line" }),
  "a space before the colon": respond({ headers: "Server : x" }),
  "a folded header": respond({ headers: "X-A: a\r\n b" }),
  "a control character": respond({ headers: "X-A: a\x01b" }),
  "a NUL": respond({ headers: "X-A: a\0b" }),
  "a name in UTF-8": respond({ headers: "X-Città: è" }),
  "a value in UTF-8": respond({ headers: "X-A: città è" }),
  "a header of 60 kB": respond({
    headers: `Content-Security-Policy: default-src ${"https://a.example.org ".repeat(2_500)}'unsafe-inline'`,
  }),
  "an invalid cookie": respond({ headers: "Set-Cookie: a=b; path=/; é=\x02" }),
  "no reason": respond({ status: "HTTP/1.1 200" }),
  "no status": respond({ status: "HTTP/1.1" }),
  "bytes before the status line": respond({ status: "\r\nHTTP/1.1 200 OK" }),
  "HTTP/1.0 that keeps the connection": respond({
    status: "HTTP/1.0 200 OK",
    headers: "Connection: keep-alive",
  }),
  "status 203": respond({ status: "HTTP/1.1 203 Non-Authoritative" }),
  "status 206": respond({
    status: "HTTP/1.1 206 Partial Content",
    framing: (body) => `${length(body)}\r\nContent-Range: bytes 0-${bytesOf(body) - 1}/${bytesOf(body)}`,
  }),
  "more bytes than its length": respond({ content: (body) => `${body}\r\n\r\n<!-- served -->` }),
  "an identity coding": respond({ headers: "Transfer-Encoding: identity" }),
  "early hints": (body) =>
    `HTTP/1.1 103 Early Hints\r\nLink: </a.css>; rel=preload\r\n\r\n${respond({})(body)}`,
  "no type": (body) => respond({})(body).replace(`${TYPE}\r\n`, ""),
  "an odd type": (body) => respond({})(body).replace("charset=utf-8", 'charset="utf-8";;'),
  "the encoding none": respond({ headers: "Content-Encoding: none" }),
  "the encoding UTF-8": respond({ headers: "Content-Encoding: UTF-8" }),
  "an offer to upgrade": respond({ headers: "Upgrade: h2,h2c\r\nConnection: Upgrade" }),
};
