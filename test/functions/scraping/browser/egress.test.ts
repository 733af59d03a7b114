import { createSocket } from "node:dgram";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { multiProcessArgs, singleProcessArgs } from "../../../../functions/scraping/browser/browsers.ts";
import { type Site, startSite } from "../../../site/site.ts";
import { startEngine } from "../harness.ts";

/*
 * A page that tries every way out of the browser that we know of, to a server and a UDP port on loopback which it may
 * not reach.
 */

let site: Site;
/** What came to the server, whatever it was, and to the UDP port. */
let connections = 0;
let packets = 0;
const inside = createServer((_request, response) => response.end()).on("connection", () => {
  connections += 1;
});
const udp = createSocket("udp4").on("message", () => {
  packets += 1;
});

beforeAll(async () => {
  site = await startSite();
  inside.listen(0, "127.0.0.1");
  udp.bind(0, "127.0.0.1");
  await Promise.all([once(inside, "listening"), once(udp, "listening")]);
  site.setRoute("/worker.js", (_, response) => {
    response.writeHead(200, { "content-type": "text/javascript" });
    response.end(
      "onmessage = ({ data }) => fetch(data, { mode: 'no-cors' }).catch(() => {}).then(() => postMessage('ended'));",
    );
  });
  site.setRedirect("/redirect", insideUrl());
  site.setRoute("/", page());
});
afterAll(async () => {
  inside.closeAllConnections();
  inside.close();
  udp.close();
  await site.close();
});

const insideUrl = () => `http://127.0.0.1:${(inside.address() as AddressInfo).port}/`;

/** Each of them ends, one way or another: what a page is told of it is not what really happened. */
const page = () => `<title>Ways out</title><ul></ul>
<link rel="dns-prefetch" href="${insideUrl()}"><link rel="preconnect" href="${insideUrl()}">
<link rel="prefetch" href="${insideUrl()}prefetch"><link rel="stylesheet" href="${insideUrl()}style.css">
<iframe src="${insideUrl()}frame"></iframe><img src="${insideUrl()}image"><video src="${insideUrl()}video"></video>
<a id="ping" href="#here" ping="${insideUrl()}ping">Ping</a>
<script>
  const url = "${insideUrl()}";
  const udp = "127.0.0.1:${udp.address().port}";
  const passed = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
  const ended = (target) => new Promise((resolve) => {
    for (const name of ["open", "load", "error", "message"]) target.addEventListener(name, resolve);
  });
  const script = (src) => document.head.appendChild(Object.assign(document.createElement("script"), { src }));
  const ways = {
    fetch: () => fetch(url, { mode: "no-cors" }),
    redirect: () => fetch("/redirect", { mode: "no-cors" }),
    websocket: () => ended(new WebSocket(url.replace("http", "ws"))),
    eventSource: async () => {
      const source = new EventSource(url);
      await ended(source);
      source.close();
    },
    script: () => ended(script(url)),
    beacon: () => navigator.sendBeacon(url, "x"),
    ping: () => document.querySelector("#ping").click(),
    worker: async () => {
      const worker = new Worker("/worker.js");
      worker.postMessage(url);
      await ended(worker);
      worker.terminate();
    },
    serviceWorker: () => Promise.race([navigator.serviceWorker.register("/worker.js"), passed(500)]),
    webrtc: async () => {
      const peer = new RTCPeerConnection({ iceServers: [{ urls: "stun:" + udp }] });
      peer.createDataChannel("x");
      await peer.setLocalDescription(await peer.createOffer());
      await passed(1500);
    },
    webtransport: () => Promise.race([new WebTransport("https://" + udp).ready, passed(1500)]),
  };
  Promise.all(Object.entries(ways).map(async ([name, go]) => {
    await Promise.resolve().then(go).catch(() => {});
    return "<li>" + name + "</li>";
  })).then((lines) => { document.querySelector("ul").innerHTML = lines.join(""); });
</script>`;

const allTried = {
  failure: undefined,
  ways: [
    "fetch",
    "redirect",
    "websocket",
    "eventSource",
    "script",
    "beacon",
    "ping",
    "worker",
    "serviceWorker",
    "webrtc",
    "webtransport",
  ],
};

async function tried(args: readonly string[], allowHosts: string[] = []) {
  connections = 0;
  packets = 0;
  const engine = await startEngine([site.host, ...allowHosts], { ownBrowsers: true, args });
  try {
    const { rows, failure } = await engine.run({
      steps: [
        { type: "visit", url: site.url("/") },
        { type: "get_list", selector: "li", fields: [{ name: "way" }] },
      ],
    });
    return { failure, ways: rows.map((row) => row.way), connections, packets };
  } finally {
    await engine.close();
  }
}

test.each([
  ["processes of its own", multiProcessArgs],
  ["a single process", singleProcessArgs],
])("no way out of a browser with %s leads past the proxy", async (_, args) => {
  expect(await tried(args)).toEqual({ ...allTried, connections: 0, packets: 0 });
});

test("the ways do lead somewhere: to what is allowed, and past a browser that is not told to stay", async () => {
  const allowed = await tried(multiProcessArgs, [new URL(insideUrl()).host]);
  expect(allowed).toMatchObject({ ...allTried, packets: 0 });
  expect(allowed.connections).toBeGreaterThan(0);
  const talkative = await tried(multiProcessArgs.filter((arg) => !arg.startsWith("--force-webrtc")));
  expect(talkative).toMatchObject({ ...allTried, connections: 0 });
  expect(talkative.packets).toBeGreaterThan(0);
});
