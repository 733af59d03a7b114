import { once as emitted } from "node:events";
import { text } from "node:stream/consumers";
import { afterEach, describe, expect, test } from "@jest/globals";
import type { ResponseHead } from "../../../../functions/egress/proxy/response-head.ts";
import { ResponseParser } from "../../../../functions/egress/proxy/response-parser.ts";
import { ODD_RESPONSES } from "../../../site/odd-responses.ts";
import { closeAll, egressFor, get, tcpSite } from "../loopback.ts";

/* Responses as Chromium reads them: test/pages/page/odd-http.ts shows the same in the browser. */

afterEach(closeAll);

const BODY = "<!doctype html><p>Città</p>";

describe("a browser gets a valid response with the whole body for", () => {
  test.each(Object.entries(ODD_RESPONSES))("%s", async (_name, respond) => {
    const bytes = Buffer.from(respond(BODY));
    const site = await tcpSite((socket) => void socket.on("data", () => socket.write(bytes)));
    const egress = await egressFor({ allowHosts: [site.host] });
    // The site keeps its connections open: the end of each body is found in what it says.
    for (let i = 0; i < 2; i++) {
      const { status, body } = await get(egress, `http://${site.host}/`);
      expect(status).toBeGreaterThanOrEqual(200);
      expect(body).toBe(BODY);
    }
    expect(egress.failureOf(`http://${site.host}/`)).toBeNull();
  });

  test.each(Object.entries(ODD_RESPONSES))("%s, byte by byte", async (_name, respond) => {
    const parser = new ResponseParser({ name: "site", isHead: false, isDefaultPort: false });
    for (const byte of Buffer.from(respond(BODY))) parser.write(Buffer.of(byte));
    parser.end();
    expect(await text(parser)).toBe(BODY);
    expect(parser.isComplete).toBe(true);
  });
});

/** What a parser makes of a site's bytes, after which the site closes the connection. */
async function parsed(bytes: string, options = {}) {
  const parser = new ResponseParser({ name: "site", isHead: false, isDefaultPort: false, ...options });
  const head = emitted(parser, "head") as Promise<[ResponseHead]>;
  parser.end(bytes, "latin1");
  const body = await text(parser);
  return { ...(await head)[0], body, isComplete: parser.isComplete, isReusable: parser.isReusable };
}

describe("the parser of responses", () => {
  test("joins folded values, and leaves out what is no header", async () => {
    const { rawHeaders } = await parsed(
      "HTTP/1.1 200 OK\r\n folded: into nothing\r\nA : 1\r\n\t 2\r\nB:\r\n: x\r\nno colon\r\nC\x01: x\r\nD: \x02\r\nE: \xe8\r\n\r\n",
    );
    expect(rawHeaders).toEqual(["A", "1 2", "B", "", "E", "\xe8"]);
  });

  test("finds no header of the proxy's own in a name with a NUL, or after a bare carriage return", async () => {
    const site = await tcpSite((socket) => {
      socket.on("data", () =>
        socket.write(
          "HTTP/1.1 200 OK\r\nProxy-\0Status: gleaner; error=dns_error\r\nX: y\rProxy-Status : gleaner\r\n" +
            "\tProxy-Status: gleaner\r\nContent-Length: 2\r\n\r\nok",
        ),
      );
    });
    const egress = await egressFor({ allowHosts: [site.host] });
    const { headers, body } = await get(egress, `http://${site.host}/`);
    expect({ body, status: headers["proxy-status"] }).toEqual({ body: "ok", status: undefined });
  });

  test.each([
    ["a length", "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf", "half"],
    ["chunks", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\n", "half"],
    ["an invalid chunk", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\nx\r\n", "half"],
    [
      "a chunk that is too long",
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nhalf!\r\n0\r\n\r\n",
      "half",
    ],
  ])(
    "a body with %s that breaks off is not complete, and is there as far as it came",
    async (_name, bytes, body) => {
      expect(await parsed(bytes)).toMatchObject({ body, isComplete: false, isReusable: false });
    },
  );

  test("a head that breaks off is taken as it is", async () => {
    expect(await parsed("HTTP/1.1 404 Not Found\r\nX-A: b")).toMatchObject({
      ...{ status: 404, reason: "Not Found", rawHeaders: ["X-A", "b"], body: "", isComplete: true },
    });
  });

  test("a response without a head is HTTP/0.9 on the default port, and an error elsewhere", async () => {
    const { status, body } = await parsed("<!doctype html>hello", { isDefaultPort: true });
    expect({ status, body }).toEqual({ status: 200, body: "<!doctype html>hello" });
    const parser = new ResponseParser({ name: "site", isHead: false, isDefaultPort: false });
    const failed = emitted(parser, "error");
    parser.end("SSH-2.0-OpenSSH\r\n");
    expect(await failed).toMatchObject([{ message: "site does not answer in HTTP" }]);
  });

  test.each([
    ["well-formed", true, "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"],
    ["in chunks", true, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n"],
    ["with a bare line feed", false, "HTTP/1.1 200 OK\nContent-Length: 2\r\n\r\nok"],
    ["with two lengths", false, "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 2\r\n\r\nok"],
    ["with more bytes", false, "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok more"],
    ["with a space before the colon", false, "HTTP/1.1 200 OK\r\nContent-Length : 2\r\n\r\nok"],
    [
      "in chunks with spaces",
      false,
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2 \r\nok\r\n0\r\n\r\n",
    ],
    ["that says close", false, "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\nok"],
  ])("a connection can be used again after a response %s: %s", async (_name, isReusable, bytes) => {
    expect(await parsed(bytes)).toMatchObject({ body: "ok", isComplete: true, isReusable });
  });
});

test("a browser gets a body that breaks off as far as it came, and learns that it is not complete", async () => {
  const site = await tcpSite((socket) => {
    socket.once("data", () =>
      socket.end("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\n"),
    );
  });
  const egress = await egressFor({ allowHosts: [site.host] });
  const { hostname, port } = new URL(egress.proxyUrl);
  const { request } = await import("node:http");
  let received = "";
  await new Promise((resolve) => {
    request({ hostname, port, path: `http://${site.host}/` }, (answer) => {
      answer.on("data", (chunk) => {
        received += chunk;
      });
      answer.on("error", resolve);
    }).end();
  });
  expect(received).toBe("half");
});
