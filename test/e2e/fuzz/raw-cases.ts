import type { Known } from "./requests.ts";
import type { End, Wire } from "./socket.ts";

/** Bytes that no HTTP library would send, and what has to come of them. */
export interface RawCase {
  name: string;
  wire: Wire;
  end?: End;
  /** The statuses of the answers, in their order; each one of several where there is a choice. */
  expect: (number | number[])[];
}

/** Requests whose form is the matter. The service has to answer each as HTTP says, and close. */
export function rawCases({ key, scraperId }: Known): RawCase[] {
  const auth = `Authorization: Bearer ${key}\r\n`;
  const host = "Host: localhost\r\n";
  const close = "Connection: close\r\n";
  const list = `GET /v1/scrapers HTTP/1.1\r\n${host}${auth}`;
  const json = JSON.stringify({ scraper_id: scraperId });
  const form = `scraper_id=${scraperId}`;
  const post = `POST /v1/runs HTTP/1.1\r\n${host}${auth}${close}`;
  const asJson = "Content-Type: application/json\r\n";
  const asForm = "Content-Type: application/x-www-form-urlencoded\r\n";
  const sized = (text: string, size: number | string = Buffer.byteLength(text)) =>
    `Content-Length: ${size}\r\n\r\n${text}`;
  const chunk = (text: string, more = "") => `${Buffer.byteLength(text).toString(16)}${more}\r\n${text}\r\n`;
  const inChunks = "Transfer-Encoding: chunked\r\n\r\n";
  const bytesOf = (text: string): Wire => [...text].flatMap((letter) => [letter, 1]);
  const half = Math.floor(json.length / 2);
  const multibyte = Buffer.from(JSON.stringify({ scraper_id: "é" }));

  const bodies: RawCase[] = [
    {
      name: "a JSON body in chunks",
      wire: [post, asJson, inChunks, chunk(json.slice(0, half)), 5, chunk(json.slice(half)), "0\r\n\r\n"],
      expect: [201],
    },
    { name: "a form in chunks", wire: [post, asForm, inChunks, chunk(form), "0\r\n\r\n"], expect: [201] },
    {
      name: "chunks with extensions and trailers",
      wire: [post, asJson, inChunks, chunk(json, ";a=b"), "0\r\nX-Trailer: 1\r\n\r\n"],
      expect: [201],
    },
    {
      name: "a character in two chunks",
      wire: [
        post,
        asJson,
        inChunks,
        "f\r\n",
        multibyte.subarray(0, 15),
        "\r\n",
        5,
        `${(multibyte.length - 15).toString(16)}\r\n`,
        multibyte.subarray(15),
        "\r\n0\r\n\r\n",
      ],
      expect: [404],
    },
    { name: "no size of a chunk", wire: [post, asJson, inChunks, "zz\r\n"], expect: [400] },
    {
      name: "a chunk of a size beyond all",
      wire: [post, asJson, inChunks, "fffffffffffffffff\r\n"],
      expect: [400],
    },
    {
      name: "an endless extension of a chunk",
      wire: [post, asJson, inChunks, `1;${"a".repeat(20_000)}\r\n`],
      expect: [[400, 413]],
    },
    {
      name: "chunks cut short",
      wire: [post, asJson, inChunks, chunk(json.slice(0, half))],
      end: "half-close",
      expect: [400],
    },
    { name: "a body cut short", wire: [post, asJson, sized(json, 1_000)], end: "half-close", expect: [400] },
    {
      name: "a body cut short by a reset",
      wire: [post, asJson, sized(json, 1_000), 20],
      end: "reset",
      expect: [],
    },
    { name: "a request line cut short", wire: ["GET /v1/ru"], end: "half-close", expect: [400] },
    { name: "headers cut short", wire: [list], end: "half-close", expect: [400] },
    { name: "nothing", wire: [], end: "half-close", expect: [] },
    {
      name: "a body longer than its length",
      wire: [`POST /v1/runs HTTP/1.1\r\n${host}${auth}`, asJson, sized(json, half)],
      expect: [400, 400],
    },
    { name: "a body and no length", wire: [post, asJson, "\r\n", json], expect: [400] },
    { name: "a body with GET", wire: [list, close, asJson, sized(json)], expect: [200] },
    {
      name: "a length and chunks",
      wire: [post, asJson, "Content-Length: 5\r\n", inChunks, chunk(json), "0\r\n\r\n"],
      expect: [400],
    },
    {
      name: "two lengths",
      wire: [post, asJson, "Content-Length: 5\r\nContent-Length: 6\r\n\r\nhello!"],
      expect: [400],
    },
    { name: "a negative length", wire: [post, asJson, sized(json, -1)], expect: [400] },
    {
      name: "a length beyond all",
      wire: [post, asJson, sized(json, "99999999999999999999999")],
      expect: [400],
    },
    {
      name: "an encoding that is none",
      wire: [post, asJson, "Transfer-Encoding: gzip\r\n\r\n", json],
      expect: [400],
    },
    {
      name: "a slow body",
      wire: [post, asJson, `Content-Length: ${json.length}\r\n\r\n`, ...bytesOf(json)],
      expect: [201],
    },
    {
      name: "slow headers",
      wire: [...bytesOf(`GET /v1/runs HTTP/1.1\r\n${host}`), auth, close, "\r\n"],
      expect: [200],
    },
    {
      name: "expect: 100-continue",
      wire: [post, asJson, "Expect: 100-continue\r\n", `Content-Length: ${json.length}\r\n\r\n`, 20, json],
      expect: [201],
    },
    {
      name: "another expectation",
      wire: [list, close, "Expect: the-unexpected\r\n\r\n"],
      expect: [[200, 417]],
    },
  ];
  const heads: RawCase[] = [
    {
      name: "bad UTF-8 in the path",
      wire: ["GET /v1/runs/", Buffer.from([0xff, 0xc0, 0x80]), ` HTTP/1.1\r\n${host}${auth}${close}\r\n`],
      expect: [[400, 404]],
    },
    {
      name: "bad UTF-8 in the query",
      wire: [
        "GET /v1/runs?page=",
        Buffer.from([0xff, 0xc0, 0x80]),
        ` HTTP/1.1\r\n${host}${auth}${close}\r\n`,
      ],
      expect: [400],
    },
    {
      name: "bad UTF-8 in the key",
      wire: [
        `GET /v1/runs HTTP/1.1\r\n${host}${close}Authorization: Bearer `,
        Buffer.from([0xff, 0xfe]),
        "\r\n\r\n",
      ],
      expect: [401],
    },
    {
      name: "bad UTF-8 in a header",
      wire: [list, close, "X-A: ", Buffer.from([0xff, 0xfe]), "\r\n\r\n"],
      expect: [200],
    },
    {
      name: "two keys",
      wire: [list, "Authorization: Bearer x\r\n", close, "\r\n"],
      expect: [[200, 400, 401]],
    },
    { name: "two media types", wire: [post, asForm, asJson, sized(form)], expect: [[201, 415]] },
    { name: "two hosts", wire: [list, host, close, "\r\n"], expect: [[200, 400]] },
    { name: "no host", wire: [`GET /v1/runs HTTP/1.1\r\n${auth}${close}\r\n`], expect: [400] },
    { name: "a large header", wire: [list, close, `X-A: ${"a".repeat(20_000)}\r\n\r\n`], expect: [431] },
    { name: "a header without an end", wire: [list, "X-A: ", "a".repeat(100_000)], expect: [431] },
    { name: "2,500 headers", wire: [list, close, "A:b\r\n".repeat(2_500), "\r\n"], expect: [[200, 431]] },
    {
      name: "a path of 15,000 characters",
      wire: [`GET /v1/runs/${"a".repeat(15_000)} HTTP/1.1\r\n${host}${auth}${close}\r\n`],
      expect: [[404, 431]],
    },
    { name: "a header on two lines", wire: [list, close, "X-A: b\r\n c\r\n\r\n"], expect: [400] },
    { name: "a header with NUL", wire: [list, close, "X-A: b\0c\r\n\r\n"], expect: [400] },
    { name: "a space before the colon", wire: [list, close, "X-A : b\r\n\r\n"], expect: [400] },
    { name: "a header without a name", wire: [list, close, ": b\r\n\r\n"], expect: [400] },
    {
      name: "names of an object's own",
      wire: [list, close, "__proto__: x\r\nconstructor: x\r\nhasOwnProperty: x\r\n\r\n"],
      expect: [200],
    },
    {
      name: "lines without CR",
      wire: [`GET /v1/runs HTTP/1.1\nHost: localhost\n${auth.trim()}\nConnection: close\n\n`],
      expect: [[200, 400]],
    },
    { name: "empty lines first", wire: ["\r\n\r\n", list, close, "\r\n"], expect: [200] },
  ];
  const protocols: RawCase[] = [
    {
      name: "three requests in one go",
      wire: [`${list}\r\n`.repeat(2), list, close, "\r\n"],
      expect: [200, 200, 200],
    },
    {
      name: "posts in one go",
      wire: [
        `POST /v1/runs HTTP/1.1\r\n${host}${auth}${asJson}${sized(json)}`.repeat(2),
        list,
        close,
        "\r\n",
      ],
      expect: [201, 201, 200],
    },
    { name: "a request and then rubbish", wire: [list, "\r\n", "RUBBISH\r\n\r\n"], expect: [200, 400] },
    {
      name: "a request, its answer and then rubbish",
      wire: [list, "\r\n", 150, "RUBBISH\r\n\r\n"],
      expect: [200, 400],
    },
    { name: "HTTP/1.0", wire: [`GET /v1/runs HTTP/1.0\r\n${auth}\r\n`], expect: [200] },
    {
      name: "HTTP/1.0 with a body",
      wire: [`POST /v1/runs HTTP/1.0\r\n${auth}${asJson}${sized(json)}`],
      expect: [201],
    },
    { name: "HTTP/0.9", wire: ["GET /v1/runs\r\n\r\n"], expect: [[400, 401]] },
    { name: "HTTP/2", wire: ["PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"], expect: [400] },
    { name: "HTTP/9.9", wire: ["GET /v1/runs HTTP/9.9\r\n\r\n"], expect: [400] },
    { name: "TLS", wire: [Buffer.from("16030100c8010000c40303", "hex"), Buffer.alloc(200)], expect: [400] },
    {
      name: "an absolute target",
      wire: [`GET http://other.example.org/v1/runs HTTP/1.1\r\n${host}${auth}${close}\r\n`],
      expect: [200],
    },
    {
      name: "an absolute target that is none",
      wire: [`GET http://[/v1/runs HTTP/1.1\r\n${host}${auth}${close}\r\n`],
      expect: [[400, 404]],
    },
    { name: "an asterisk", wire: [`OPTIONS * HTTP/1.1\r\n${host}${close}\r\n`], expect: [404] },
    {
      name: "CONNECT",
      wire: [`CONNECT example.org:443 HTTP/1.1\r\nHost: example.org:443\r\n${close}\r\n`],
      expect: [404],
    },
    {
      name: "CONNECT and a reset",
      wire: ["CONNECT example.org:443 HTTP/1.1\r\nHost: example.org:443\r\n\r\n"],
      end: "reset",
      expect: [],
    },
    {
      name: "an upgrade",
      wire: [
        `GET /v1/runs HTTP/1.1\r\n${host}${auth}Connection: upgrade, close\r\nUpgrade: websocket\r\n\r\n`,
      ],
      expect: [200],
    },
    {
      name: "an upgrade to HTTP/2",
      wire: [
        list,
        "Connection: upgrade, http2-settings, close\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\n\r\n",
      ],
      expect: [200],
    },
    {
      name: "a method in small letters",
      wire: [`get /v1/runs HTTP/1.1\r\n${host}${close}\r\n`],
      expect: [400],
    },
    {
      name: "a method that is none",
      wire: [`FETCH /v1/runs HTTP/1.1\r\n${host}${close}\r\n`],
      expect: [400],
    },
    {
      name: "spaces in the target",
      wire: [`GET /v1/runs /x HTTP/1.1\r\n${host}${close}\r\n`],
      expect: [400],
    },
    { name: "no target", wire: [`GET  HTTP/1.1\r\n${host}${close}\r\n`], expect: [400] },
  ];
  return [...bodies, ...heads, ...protocols];
}
