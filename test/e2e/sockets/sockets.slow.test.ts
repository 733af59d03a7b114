import { once } from "node:events";
import { readdir, readFile, readlink } from "node:fs/promises";
import { connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { createApiKey } from "../../../functions/accounts/create-key.ts";
import { createAccount } from "../../../functions/store/accounts.ts";
import { pick, seeded } from "../chaos/random.ts";
import { type FuzzedService, startFuzzedService } from "../fuzz/service.ts";
import { send } from "../send.ts";

/* What others than clients of the API get from the service: strangers, web pages, and programs that break off. */

const CONNECTIONS = 10_000;
const AT_ONCE = 100;
const SEED = 14;

let service: FuzzedService;
let key: string;
beforeAll(async () => {
  service = await startFuzzedService();
  key = await service.withTable(async (table) => {
    await createAccount(table, { name: "me", credit_limit: null, rate_limit: 100_000, created_at: "" });
    return (await createApiKey(table, "me", new Date())).key;
  });
}, 60_000);
afterAll(() => service.stop());

const get = (headers: Record<string, string>) =>
  send(service.url, { method: "GET", path: "/v1/scrapers", headers });
const withKey = () => get({ authorization: `Bearer ${key}` });

async function open(): Promise<Socket> {
  const { hostname, port } = new URL(service.url);
  const socket = connect({ host: hostname, port: Number(port) });
  socket.on("error", () => {});
  // What the service answers is read, and of no interest.
  socket.resume();
  await Promise.race([once(socket, "connect"), once(socket, "close")]);
  return socket;
}

const written = (socket: Socket, bytes: string | Buffer) =>
  new Promise<void>((resolve) => socket.write(bytes, () => resolve()));

describe("connections that go wrong", () => {
  const head = "POST /v1/runs HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n";
  const request = (more: string) => () => `${head}${more}`;
  const withLength = request("Content-Length: 100000\r\n\r\n{");
  const starts: (() => string | Buffer)[] = [
    () => "",
    () => "GET /v1/ru",
    () => "GET /v1/runs HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bear",
    withLength,
    () => withLength().replace("\r\n", `\r\nAuthorization: Bearer ${key}\r\n`),
    request("Transfer-Encoding: chunked\r\n\r\n5\r\nhel"),
    request("Transfer-Encoding: chunked\r\n\r\nzz\r\n"),
    request("Expect: 100-continue\r\nContent-Length: 10\r\n\r\n"),
    () => "null",
    () => "CONNECT example.org:443 HTTP/1.1\r\nHost: example.org\r\n\r\n",
    () => "GET / HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n",
    () => "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    () => Buffer.from([0x16, 3, 1, 2, 0, 1, 0, 1, 0xfc, 3, 3]),
    () => Buffer.from(Array.from({ length: 300 }, (_, at) => (at * 7919) % 256)),
    () => `GET /${"a".repeat(30_000)} HTTP/1.1\r\n`,
    () => `GET / HTTP/1.1\r\n${"X: y\r\n".repeat(3_000)}\r\n`,
    () => "GET /v1/runs HTTP/1.1\r\nHost: localhost\r\n\r\n".repeat(20),
  ];
  const ends: ((socket: Socket) => void)[] = [
    (socket) => socket.resetAndDestroy(),
    (socket) => socket.destroy(),
    (socket) => socket.end(() => socket.destroy()),
  ];

  test("10,000 of them leave the service as it was", async () => {
    const random = seeded(SEED);
    const one = async () => {
      const socket = await open();
      await written(socket, pick(random, starts)());
      pick(random, ends)(socket);
      if (!socket.destroyed) await once(socket, "close");
    };
    const many = async (count: number) => {
      for (let done = 0; done < count; done += AT_ONCE)
        await Promise.all(Array.from({ length: AT_ONCE }, one));
    };
    await many(CONNECTIONS / 5);
    const before = await service.memory();
    await many((CONNECTIONS * 4) / 5);
    const after = await service.memory();
    expect(service.isAlive()).toBe(true);
    expect((await withKey()).status).toBe(200);
    expect(service.logged).toEqual([]);
    expect(after.heap - before.heap).toBeLessThan(5e6);
    expect(after.external - before.external).toBeLessThan(5e6);
  }, 300_000);
});

describe("strangers", () => {
  test("take no memory with bodies: the service reads them only with a key", async () => {
    const before = await service.memory();
    const sockets = await Promise.all(Array.from({ length: 30 }, open));
    const answers = sockets.map((socket) => once(socket, "data"));
    const size = 10 * 1024 * 1024;
    await Promise.all(
      sockets.map(async (socket) => {
        await written(socket, `POST /v1/runs HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${size}\r\n\r\n`);
        for (let sent = 0; sent < size - 1024 * 1024; sent += 256 * 1024) {
          if (socket.destroyed) return;
          await written(socket, Buffer.alloc(256 * 1024, "x"));
        }
      }),
    );
    for (const answer of answers) expect(String((await answer)[0])).toMatch(/^HTTP\/1\.1 401 /);
    const during = await service.memory();
    for (const socket of sockets) socket.destroy();
    expect(during.external - before.external).toBeLessThan(5e6);
    expect(during.heap - before.heap).toBeLessThan(5e6);
  });

  test("whoever has a key sends 1 MB and no more", async () => {
    const post = (bytes: number) =>
      send(service.url, {
        method: "POST",
        path: "/v1/runs",
        headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
        body: Buffer.alloc(bytes, " "),
      });
    expect((await post(1_000_000)).status).toBe(400);
    expect((await post(1_000_001)).status).toBe(413);
  });

  test("hold no more than a bounded number of connections", async () => {
    const sockets = await Promise.all(Array.from({ length: 700 }, open));
    const left = () => sockets.filter((socket) => !socket.destroyed && socket.readyState === "open").length;
    // Until the service has closed what is too many.
    while (left() > 512) await sleep(20);
    for (const socket of sockets) socket.destroy();
    let status = 0;
    // Until the service has seen that they are gone.
    while (status !== 200) status = (await withKey().catch(() => undefined))?.status ?? 0;
  });
});

describe("a web page", () => {
  test("gets nothing from the API, neither as another origin nor under a name of its own", async () => {
    const authorization = `Bearer ${key}`;
    expect((await get({ authorization, origin: "https://evil.example" })).status).toBe(403);
    expect((await get({ authorization, host: "evil.example:4000" })).status).toBe(421);
    expect((await get({ host: "localhost" })).status).toBe(401);
    for (const path of ["/", "/v1/runs", "/v1/scrapers"]) {
      const asked = { method: "OPTIONS", path, headers: { origin: "https://evil.example" } };
      const { status, headers } = await send(service.url, asked);
      expect(status).toBeGreaterThanOrEqual(400);
      expect(Object.keys(headers).filter((name) => name.startsWith("access-control"))).toEqual([]);
    }
  });

  const onLinux = process.platform === "linux" ? test : test.skip;
  onLinux("finds no other port: the API's is all that the process listens on", async () => {
    const { port } = new URL(service.url);
    expect(await listeningOf(service.pid)).toEqual([`127.0.0.1:${port}`]);
  });
});

/** The addresses of a process's sockets that others can connect or send to. */
async function listeningOf(pid: number): Promise<string[]> {
  const links = await Promise.all(
    (await readdir(`/proc/${pid}/fd`)).map((fd) => readlink(`/proc/${pid}/fd/${fd}`).catch(() => "")),
  );
  const sockets = new Set(links.flatMap((link) => /^socket:\[(\d+)\]$/.exec(link)?.[1] ?? []));
  const found: string[] = [];
  for (const family of ["tcp", "tcp6", "udp", "udp6"]) {
    const lines = (await readFile(`/proc/${pid}/net/${family}`, "utf8").catch(() => "")).split("\n").slice(1);
    for (const line of lines) {
      const [, local = "", , state, , , , , , inode] = line.trim().split(/\s+/);
      const isOpen = family.startsWith("udp") || state === "0A";
      if (isOpen && sockets.has(inode ?? "")) found.push(readable(local));
    }
  }
  // Sockets in the file system or in the abstract namespace.
  const unix = (await readFile(`/proc/${pid}/net/unix`, "utf8")).split("\n").slice(1);
  for (const line of unix) {
    const [, , , flags, , , inode, path] = line.trim().split(/\s+/);
    if (sockets.has(inode ?? "") && (flags === "00010000" || path !== undefined)) found.push(`unix ${path}`);
  }
  return found;
}

/** `0100007F:0FA0` is 127.0.0.1:4000. */
function readable(address: string): string {
  const [ip = "", port = ""] = address.split(":");
  const bytes = Buffer.from(ip, "hex").reverse();
  return `${bytes.length === 4 ? bytes.join(".") : ip}:${Number.parseInt(port, 16)}`;
}
