import { Duplex } from "node:stream";
import { connect as connectTls } from "node:tls";
import { afterEach, describe, expect, test } from "@jest/globals";
import { webSocketDetector } from "../../../../functions/egress/proxy/web-socket.ts";
import { closeAll, egressFor, eventually, tcpSite, tunnel } from "../loopback.ts";

afterEach(closeAll);

/** What a TLS client says first. */
function helloWith(ALPNProtocols: string[] | undefined): Promise<Buffer> {
  return new Promise((resolve) => {
    const socket = new Duplex({ read() {}, write: (chunk: Buffer) => resolve(chunk) });
    connectTls({ socket, servername: "shop.example", ...(ALPNProtocols && { ALPNProtocols }) });
  });
}

describe("the first bytes of a tunnel", () => {
  test.each([
    ["HTTPS, which offers HTTP/2", ["h2", "http/1.1"], false],
    ["a WebSocket with TLS, which does not", ["http/1.1"], true],
    ["TLS that offers nothing", undefined, true],
  ] as const)("are those of %s, in pieces too", async (_, protocols, expected) => {
    const hello = await helloWith(protocols && [...protocols]);
    expect(webSocketDetector()(hello)).toBe(expected);
    const inPieces = webSocketDetector();
    for (let at = 0; at < hello.length - 1; at += 1) {
      const known = inPieces(hello.subarray(at, at + 1));
      expect([undefined, expected]).toContain(known);
    }
    expect(inPieces(hello.subarray(-1))).toBe(expected);
    expect(inPieces(Buffer.from("later"))).toBe(expected);
  });

  test("are those of a WebSocket without TLS, which needs a tunnel only for that", () => {
    const detect = webSocketDetector();
    expect(detect(Buffer.alloc(0))).toBeUndefined();
    expect(detect(Buffer.from("G"))).toBe(true);
  });

  test("are garbage: no more than a ClientHello is kept", () => {
    const detect = webSocketDetector();
    const garbage = Buffer.concat([Buffer.from([22, 3, 1, 255, 255, 1]), Buffer.alloc(17_000, 255)]);
    expect(detect(garbage)).toBe(true);
  });
});

/** A tunnel to a site that answers nothing. */
async function openTunnel(mayAlways?: boolean) {
  const received: Buffer[] = [];
  const site = await tcpSite((socket) => socket.on("data", (chunk) => received.push(chunk)));
  const egress = await egressFor({ allowHosts: [site.host] });
  const asked: string[] = [];
  const rule = { may: true };
  egress.checkSockets((authority) => {
    asked.push(authority);
    return mayAlways ?? rule.may;
  });
  const { socket: client } = await tunnel(egress, site.host);
  const text = () => Buffer.concat(received).toString("latin1");
  return { site, client, text, asked, rule };
}

describe("a WebSocket's tunnel", () => {
  test("is closed as soon as it sends what it may not", async () => {
    const { site, client, text, asked, rule } = await openTunnel();
    client.write("GET /socket HTTP/1.1\r\n\r\n");
    await eventually(() => text().includes("/socket"));
    rule.may = false;
    client.write("secret");
    await eventually(() => client.closed && site.open.size === 0);
    expect(text()).not.toContain("secret");
    expect(asked).toEqual([site.host, site.host]);
  });

  test("does not even open", async () => {
    const { site, client, text } = await openTunnel(false);
    client.write("GET /?q=secret HTTP/1.1\r\n\r\n");
    await eventually(() => client.closed && site.open.size === 0);
    expect(text()).toBe("");
  });

  test("is another one's than that of HTTPS, which nobody asks about", async () => {
    const { client, text, asked } = await openTunnel(false);
    const hello = await helloWith(["h2", "http/1.1"]);
    client.write(Buffer.concat([hello, Buffer.from("and more")]));
    await eventually(() => text().endsWith("and more"));
    expect(asked).toEqual([]);
  });
});
