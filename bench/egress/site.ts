import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { parentPort } from "node:worker_threads";

/** On each page. */
const IMAGES = 40;

const small = Buffer.alloc(1_000, "x");
const large = Buffer.alloc(1024 * 1024, "x");
const image = Buffer.from("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7", "base64");

/** A page whose images are its own, so that no cache serves them. */
function page(number: string): Buffer {
  const images = Array.from({ length: IMAGES }, (_, i) => `<img src="/image/${number}/${i}">`);
  return Buffer.from(`<!doctype html><title>${number}</title>${images.join("")}`);
}

function content(kind: string, number: string): [type: string, body: Buffer] {
  if (kind === "page") return ["text/html", page(number)];
  if (kind === "image") return ["image/gif", image];
  return ["text/plain", kind === "large" ? large : small];
}

/** The site that the measurements load, on a thread of its own. */
const server = createServer((request, response) => {
  const [, kind = "", number = ""] = (request.url as string).split("/");
  const [type, body] = content(kind, number);
  response.writeHead(200, { "Content-Type": type, "Content-Length": body.length }).end(body);
});
server.listen(0, "127.0.0.1", () => parentPort?.postMessage((server.address() as AddressInfo).port));
