/** An element of a list, as the seed decides. */
export type Pick = <T>(list: readonly T[]) => T;

/** Each as `host:port`. */
export interface Targets {
  /** Speaks HTTP, as badly as it can. */
  site: string;
  /** The same in TLS. */
  secure: string;
  /** Must not be reached. */
  canary: string;
}

const VERSIONS = [
  "HTTP/1.1",
  "HTTP/1.1",
  "HTTP/1.1",
  "HTTP/1.0",
  "HTTP/0.9",
  "HTTP/2.0",
  "HTTP/1.1\t",
  "http/1.1",
  "HTP/1.1",
  "",
];
const METHODS = [
  "GET",
  "GET",
  "POST",
  "PUT",
  "HEAD",
  "CONNECT",
  "CONNECT",
  "OPTIONS",
  "TRACE",
  "PRI",
  "M-SEARCH",
  "get",
  "G\0T",
  "",
];
const LINE_ENDS = ["\r\n", "\r\n", "\r\n", "\r\n", "\n", "\r", "\r\n ", "\0\r\n"];
const CHUNKED = [
  "5\r\nhello\r\n0\r\n\r\n",
  "5;x=y\r\nhello\r\n0\r\nTrailer: x\r\n\r\n",
  "ffffffffffffffff\r\n",
  "-5\r\nhello",
  "5\r\nhel",
  "0x5\r\nhello\r\n0\r\n\r\n",
  "5\nhello\n0\n\n",
];

/** Spellings of an address that lead to the forbidden one, or nowhere. */
function authorities({ site, secure, canary }: Targets): string[] {
  const port = canary.split(":")[1] ?? "";
  const spelled = [
    "127.0.0.1",
    "localhost",
    "0x7f.1",
    "2130706433",
    "0177.0.0.1",
    "127.1",
    "[::1]",
    "[::ffff:7f00:1]",
    "0",
    "a.localhost",
    "rebinding.test",
    "127.0.0.1.",
  ];
  return [
    ...spelled.map((host) => `${host}:${port}`),
    ...[
      `${site}@${canary}`,
      `${canary}#@${site}`,
      `${site}\\@${canary}`,
      `${canary}%00.${site}`,
      `${site},${canary}`,
    ],
    ...[
      `${site} ${canary}`,
      "",
      ":",
      `:${port}`,
      "[::1",
      `${site}:${port}`,
      `${canary}:80`,
      "x".repeat(3_000),
    ],
    ...[site, site, site, site, secure, secure],
  ];
}

const requestHeaders = (targets: Targets) => [
  ...[`Host: ${targets.canary}`, "Host:", "Host: a\r\nHost: b", "Content-Length: 5", "Content-Length: 5, 5"],
  ...["Content-Length: -1", "Content-Length: 99999999999999999999", "Content-Length: 5\r\nContent-Length: 6"],
  ...["Transfer-Encoding: chunked", "Transfer-Encoding: chunked, chunked", "Transfer-Encoding: xchunked"],
  ...[
    "Transfer-Encoding:\tchunked",
    "Transfer-Encoding: identity",
    "Transfer-Encoding : chunked",
    "TE: trailers",
  ],
  ...[
    "Connection: close",
    "Connection: keep-alive, host, content-length",
    "Connection: upgrade\r\nUpgrade: websocket",
  ],
  ...[
    "Upgrade: h2c",
    "Expect: 100-continue",
    "Expect: nothing",
    "Proxy-Authorization: Basic eDp5",
    "Max-Forwards: 0",
  ],
  ...[
    `X-Forwarded-Host: ${targets.canary}`,
    "X: \0",
    "X: y\r\n folded",
    "X: \xff\xfe",
    ": no name",
    "no colon",
    "Cookie: a=b",
  ],
  ...[`X: ${"y".repeat(70_000)}`, `X: ${"y".repeat(300_000)}`, "Range: bytes=0-", "Content-Encoding: gzip"],
];

const bodies = (targets: Targets) => [
  ...["", "", "hello", "x".repeat(100_000), ...CHUNKED],
  // A request inside of another's body, which must stay that.
  `GET http://${targets.canary}/ HTTP/1.1\r\nHost: a\r\n\r\n`,
  `0\r\n\r\nCONNECT ${targets.canary} HTTP/1.1\r\n\r\n`,
  // The beginning of TLS, and of HTTP/2.
  "\x16\x03\x01\x02\0\x01\0\x01\xfc\x03\x03",
  "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
];

/** One to three requests on one connection, malformed in one way or another. */
export function malformedRequest(targets: Targets, pick: Pick, random: () => number): string {
  if (random() < 0.05) return randomBytes(random, 400);
  const count = random() < 0.8 ? 1 : 3;
  let text = "";
  for (let number = 0; number < count; number += 1) {
    const method = pick(METHODS);
    const authority = pick(authorities(targets));
    const forms = [
      `http://${authority}/`,
      `http://${authority}/`,
      authority,
      `https://${authority}/`,
      "/",
      "*",
      `ws://${authority}/`,
    ];
    const target = method === "CONNECT" && random() < 0.9 ? authority : pick(forms);
    text += `${method} ${target} ${pick(VERSIONS)}${pick(LINE_ENDS)}`;
    const headers = Math.floor(random() * 4);
    for (let header = 0; header < headers; header += 1)
      text += pick(requestHeaders(targets)) + pick(LINE_ENDS);
    text += `${pick(["\r\n", "\r\n", "\r\n", "\n", ""])}${pick(bodies(targets))}`;
  }
  return damaged(text, random);
}

const STATUSES = [
  "200 OK",
  "200 OK",
  "204 No Content",
  "304 Not Modified",
  "101 Switching Protocols",
  "100 Continue",
  "103 Early Hints",
  "407 Auth",
  "302 Found",
  "999 Odd",
  "099 Low",
  "1000 Long",
  "-1",
  "abc",
  "200",
  "",
];
const ANSWER_HEADERS = [
  "Content-Length: 5",
  "Content-Length: 0",
  "Content-Length: 5\r\nContent-Length: 6",
  "Content-Length: -1",
  "Content-Length: 99999999999999999999",
  "Transfer-Encoding: chunked",
  "Transfer-Encoding: gzip, chunked",
  "Transfer-Encoding: chunked\r\nContent-Length: 3",
  "Connection: close",
  "Connection: upgrade\r\nUpgrade: websocket",
  "Connection: content-length",
  "Location: http://127.0.0.1:1/",
  "Set-Cookie: a=b\0",
  "X: \xff",
  "X: y\r\n folded",
  "no colon",
  ": no name",
  `X: ${"y".repeat(300_000)}`,
  "Keep-Alive: timeout=99999",
  "Trailer: X",
  "Proxy-Authenticate: Basic",
];

/** Answers of a site, with informational ones before and others after them. */
export function malformedAnswer(pick: Pick, random: () => number): string {
  if (random() < 0.1) return randomBytes(random, 400);
  let text = "";
  const count = 1 + Math.floor(random() * 3);
  for (let number = 0; number < count; number += 1) {
    text += `${pick(VERSIONS)} ${pick(STATUSES)}${pick(LINE_ENDS)}`;
    const headers = Math.floor(random() * 4);
    for (let header = 0; header < headers; header += 1) text += pick(ANSWER_HEADERS) + pick(LINE_ENDS);
    text += pick(["\r\n", "\r\n", "\r\n", "\n", ""]) + pick(["", "hello", "x".repeat(100_000), ...CHUNKED]);
  }
  return damaged(text, random);
}

/** One text in four loses its end, or has one byte changed. */
function damaged(text: string, random: () => number): string {
  const at = Math.floor(random() * text.length);
  const kind = random();
  if (kind < 0.1) return text.slice(0, at);
  if (kind > 0.25) return text;
  return text.slice(0, at) + String.fromCharCode(Math.floor(random() * 256)) + text.slice(at + 1);
}

const randomBytes = (random: () => number, most: number) =>
  Array.from({ length: Math.floor(random() * most) }, () =>
    String.fromCharCode(Math.floor(random() * 256)),
  ).join("");
