import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";
import { createServer as createTlsServer } from "node:tls";
import { startEgress } from "../../../../functions/egress/proxy/start-egress.ts";
import { seeded } from "../../../e2e/chaos/random.ts";
import { certificate } from "../../../site/tls/certificate.ts";
import { malformedAnswer, malformedRequest, type Pick, type Targets } from "./messages.ts";

/** What became of malformed requests and answers. */
export interface FuzzReport {
  seed: number;
  requests: number;
  /** Connections that were still open long after their last byte. */
  hung: number;
  /** Errors that nothing handled: each would have ended the service. */
  crashes: string[];
  /** Connections to an address that the policy forbids. */
  canary_hits: number;
  /** Connections that the proxy left open. */
  open: number;
  /** Whether the proxy still passes on a request. */
  serves: boolean;
  heap_mb: { before: number; after: number };
}

const AT_A_TIME = 32;
/** No byte for this long ends a connection; so whatever is open after the other time hangs. */
const IDLE_MS = 300;
const HANG_MS = 20_000;

/** Sends malformed requests through the egress proxy, to sites that answer malformed too. */
export async function fuzzEgress(requests: number, seed: number): Promise<FuzzReport> {
  const random = seeded(seed);
  const pick: Pick = (list) => list[Math.floor(random() * list.length)] as (typeof list)[number];
  const crashes: string[] = [];
  const onCrash = (error: unknown) => void crashes.push(String((error as Error)?.stack ?? error));
  process.on("uncaughtException", onCrash);
  process.on("unhandledRejection", onCrash);
  const report = { seed, requests, hung: 0, crashes, canary_hits: 0, open: 0, serves: false };

  const open = new Set<Socket>();
  const answer = (socket: Socket) => {
    open.add(socket);
    socket.once("close", () => open.delete(socket)).on("error", () => {});
    socket.on("data", (data) => {
      if (data.includes("GET /well-formed "))
        return void socket.end("HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nserved");
      const bytes = Buffer.from(malformedAnswer(pick, random), "latin1");
      const cut = Math.floor(random() * bytes.length);
      socket.write(bytes.subarray(0, cut));
      socket.write(bytes.subarray(cut));
      const next = random();
      if (next < 0.4) socket.end();
      else if (next < 0.6) socket.resetAndDestroy();
    });
  };
  const site = await listen(createServer(answer));
  const secure = await listen(createTlsServer(certificate, answer).on("tlsClientError", () => {}));
  const canary = await listen(
    createServer((socket) => {
      report.canary_hits += 1;
      socket.destroy();
    }),
  );
  const targets: Targets = { site: hostOf(site), secure: hostOf(secure), canary: hostOf(canary) };
  const egress = await startEgress({
    allowHosts: [targets.site, targets.secure],
    limits: { idleMs: IDLE_MS, connectMs: 2_000 },
    lookup: async () => [{ address: "127.0.0.1", family: 4 }],
  });
  const port = Number(new URL(egress.proxyUrl).port);
  const before = heapUsed();

  let started = 0;
  const worker = async () => {
    while (started < requests) {
      started += 1;
      const message = Buffer.from(malformedRequest(targets, pick, random), "latin1");
      if (!(await send(port, message, random))) report.hung += 1;
    }
  };
  await Promise.all(Array.from({ length: AT_A_TIME }, worker));

  const until = Date.now() + HANG_MS;
  while (open.size > 0 && Date.now() < until) await new Promise((resolve) => setTimeout(resolve, 20));
  report.open = open.size;
  const wellFormed = `GET http://${targets.site}/well-formed HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`;
  report.serves = (await exchange(port, wellFormed)).endsWith("served");
  await egress.close();
  for (const server of [site, secure, canary]) server.close();
  for (const socket of open) socket.destroy();
  process.off("uncaughtException", onCrash);
  process.off("unhandledRejection", onCrash);
  return { ...report, heap_mb: { before, after: heapUsed() } };
}

async function listen(server: Server): Promise<Server> {
  await once(server.listen(0, "127.0.0.1"), "listening");
  return server;
}

const hostOf = (server: Server) => `127.0.0.1:${(server.address() as AddressInfo).port}`;

function heapUsed(): number {
  globalThis.gc?.();
  return Math.round(process.memoryUsage().heapUsed / 1024 ** 2);
}

/** Sends bytes, in pieces or at once, and ends or breaks off. False if the proxy does not close the connection in time. */
function send(port: number, bytes: Buffer, random: () => number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    const timer = setTimeout(() => {
      resolve(false);
      socket.destroy();
    }, HANG_MS);
    socket.on("error", () => {});
    socket.once("close", () => {
      clearTimeout(timer);
      resolve(true);
    });
    socket.resume();
    const cut = random() < 0.3 ? Math.floor(random() * bytes.length) : bytes.length;
    socket.write(bytes.subarray(0, cut));
    setImmediate(() => {
      if (socket.writable) socket.write(bytes.subarray(cut));
      const next = random();
      if (next < 0.8) socket.end();
      else if (next < 0.9) socket.resetAndDestroy();
      // Otherwise, the proxy has to close the connection: it is idle.
    });
  });
}

async function exchange(port: number, text: string): Promise<string> {
  const socket = connect(port, "127.0.0.1").on("error", () => {});
  let received = "";
  socket.on("data", (chunk) => {
    received += chunk;
  });
  socket.write(text);
  await once(socket, "close");
  return received;
}
