/** Pages of ill will, by name. Each gets a `host:port` that must not be reached. */
export type HostilePages = Record<string, (canary: string) => string>;

const ITEM = "<p class=item>One</p>";
const page = (script: string) => `<!doctype html><body>${ITEM}<script>${script}</script>`;
const loaded = (script: string) => page(`onload = () => { ${script} }`);
const worker = (script: string) =>
  `new Worker(URL.createObjectURL(new Blob([${JSON.stringify(script).replaceAll("</", "<\\/")}])))`;
const always = (script: string, ms = 1) => `setInterval(() => { ${script} }, ${ms})`;
const plain = (html: string) => () => html;
const running = (script: string) => plain(loaded(script));

const memory: HostilePages = {
  "array buffers": running(`const all = []; ${always("all.push(new Uint8Array(1e8).fill(1))")}`),
  "arrays of objects": running("const all = []; for (;;) all.push({ text: Math.random() });"),
  "a string that doubles": running('let text = "x"; for (;;) text += text;'),
  "WebAssembly memory": running(
    `const all = []; ${always("all.push(new Uint8Array(new WebAssembly.Memory({ initial: 1000 }).buffer).fill(1))")}`,
  ),
  canvases: running(
    `const all = []; ${always('const canvas = Object.assign(document.createElement("canvas"), { width: 8000, height: 8000 }); canvas.getContext("2d").fillRect(0, 0, 8000, 8000); canvas.getContext("2d").getImageData(0, 0, 1, 1); all.push(canvas);')}`,
  ),
  elements: running(always('document.body.insertAdjacentHTML("beforeend", "<p>x</p>".repeat(1e5))')),
  "memory of workers": running(
    `for (let n = 0; n < 4; n += 1) ${worker("const all = []; for (;;) all.push(new Uint8Array(1e7).fill(1))")}`,
  ),
  "shared buffers, sent around": running(
    `const all = []; const { port1, port2 } = new MessageChannel(); port2.onmessage = (event) => all.push(event.data); ${always("port1.postMessage(new Uint8Array(5e7).fill(1))")}`,
  ),
};

const disk: HostilePages = {
  "streams of blobs": running(
    `const blob = new Blob([new Uint8Array(1e7).fill(1)]), all = []; ${always("const reader = blob.stream().getReader(); reader.read(); all.push(reader);")}`,
  ),
  blobs: running(`const all = []; ${always("all.push(new Blob([new Uint8Array(1e7).fill(all.length)]))")}`),
  IndexedDB: running(
    `indexedDB.open("x").onupgradeneeded = ({ target }) => { const db = target.result; db.createObjectStore("x", { autoIncrement: true }); setInterval(() => db.transaction("x", "readwrite").objectStore("x").add(new Uint8Array(1e7).fill(1)), 5); }`,
  ),
  "the private file system": running(
    `navigator.storage?.getDirectory?.().then(async (folder) => { for (let n = 0; ; n += 1) { const file = await (await folder.getFileHandle("x" + n, { create: true })).createWritable(); await file.write(new Uint8Array(1e7)); await file.close(); } })`,
  ),
  "caches and local storage": running(
    `try { for (let n = 0; ; n += 1) localStorage[n] = "x".repeat(1e6); } catch {} caches?.open("x").then(async (cache) => { for (let n = 0; ; n += 1) await cache.put("/" + n, new Response("x".repeat(1e7))); })`,
  ),
  downloads: running(
    `const a = Object.assign(document.createElement("a"), { href: URL.createObjectURL(new Blob(["x".repeat(1e7)])), download: "x" }); ${always("a.click()", 20)}`,
  ),
};

const time: HostilePages = {
  "an endless loop": plain(`${ITEM}<script>for (;;) {}</script>`),
  "an endless loop after a while": running("setTimeout(() => { for (;;) {} }, 300)"),
  "timers without end": running("const again = () => { setTimeout(again); setTimeout(again); }; again();"),
  "microtasks without end": running("const again = () => Promise.resolve().then(again); again();"),
  "animation frames without end": running(
    "const again = () => { requestAnimationFrame(again); document.body.style.width = Math.random() * 900 + 'px'; }; again();",
  ),
  "mutations without end": running(
    "new MutationObserver(() => document.body.append('x')).observe(document.body, { childList: true }); document.body.append('x');",
  ),
  "loops in workers": running(`for (let n = 0; n < 8; n += 1) ${worker("for (;;) {}")}`),
  "a catastrophic expression": running('/^(a+)+$/.test("a".repeat(40) + "!")'),
  "synchronous requests": running(
    'for (;;) { const r = new XMLHttpRequest(); r.open("GET", "/", false); r.send(); }',
  ),
  "a style sheet that takes long": plain(
    `<style>${":has(".repeat(6)}*${")".repeat(6)} * * * { color: red }</style>${"<div>".repeat(300)}${ITEM}`,
  ),
};

const messages: HostilePages = {
  "the longest text in the log": running('console.log("x".repeat(2 ** 29 - 24))'),
  "a log without end": running(always('for (let n = 0; n < 100; n += 1) console.log("x".repeat(1e4))')),
  "errors without end": running(
    always('for (let n = 0; n < 100; n += 1) setTimeout(() => { throw new Error("x".repeat(1e4)); })'),
  ),
  "a long error": running('throw "x".repeat(1e8)'),
  "a long address": running('history.pushState(0, "", "?" + "x".repeat(1e6))'),
  "a long title": running('document.title = "x".repeat(1e7)'),
  "objects in the log": running(
    `const o = {}; o.o = o; ${always("for (let n = 0; n < 1000; n += 1) console.log(o, document)")}`,
  ),
};

const windows: HostilePages = {
  "windows without end": running(always('for (let n = 0; n < 5; n += 1) open("about:blank")', 50)),
  "dialogs without end": running(
    `for (let n = 0; n < 200; n += 1) alert(n); ${always("confirm(1); prompt(1)", 10)}`,
  ),
  "a question before it leaves": running("onbeforeunload = () => 'stay'; location.reload();"),
  "reloads without end": running("location.reload()"),
  "two pages that lead to each other": running("location = location.search ? location.pathname : '?a'"),
  "a history of thousands": running('for (let n = 0; n < 5000; n += 1) history.pushState(n, "", "?" + n)'),
  "prints without end": running(always("print()", 50)),
  "frames without end": running(always('document.body.append(document.createElement("iframe"))', 5)),
  "frames within frames": running(
    "if (window.parent === window || location.hash.length < 30) { const f = document.createElement('iframe'); f.src = location.pathname + '#' + 'x'.repeat(location.hash.length + 1); document.body.append(f); }",
  ),
  "an empty page in its own place": running("document.open(); document.close();"),
  "a window that closes itself": running("close(); open('', '_self').close();"),
  "full screen, pointer and keyboard": running(
    "document.documentElement.requestFullscreen().catch(() => {}); document.body.requestPointerLock?.(); navigator.keyboard?.lock?.();",
  ),
};

const requests: HostilePages = {
  "requests without end": running(always('for (let n = 0; n < 50; n += 1) fetch("/?" + Math.random())')),
  "uploads without end": running(always('fetch("/", { method: "POST", body: new Uint8Array(1e7) })', 5)),
  "sockets without end": running(
    "for (let n = 0; n < 5000; n += 1) new WebSocket('ws://' + location.host + '/' + n)",
  ),
  "events without end": running("for (let n = 0; n < 50; n += 1) new EventSource('/?' + n)"),
  "hosts without end": running(
    always("fetch('http://' + Math.random().toString(36).slice(2) + '.test/').catch(() => {})"),
  ),
  "beacons without end": running(always('navigator.sendBeacon("/", "x".repeat(60000))')),
};

const document: HostilePages = {
  "elements nested deeply": running(
    "let at = document.body; for (let n = 0; n < 50000; n += 1) at = at.appendChild(document.createElement('div'));",
  ),
  "functions that are not what they were": plain(
    page(
      `Array.prototype.map = () => [1]; JSON.stringify = () => "no"; Document.prototype.querySelectorAll = () => []; Object.defineProperty(HTMLElement.prototype, "innerText", { get: () => "no" }); window.setTimeout = window.requestAnimationFrame = () => {};`,
    ),
  ),
  "getters that throw": plain(
    page('Object.defineProperty(Object.prototype, "then", { get() { throw 1; } })'),
  ),
  "names like those of a document": plain(
    `<form name=querySelectorAll></form><form id=body></form><img name=documentElement><form>${ITEM}<input name=parentNode></form>`,
  ),
  "shadow roots without end": running(
    always(
      "document.body.appendChild(document.createElement('div')).attachShadow({ mode: 'closed' }).innerHTML = '<p>x</p>'.repeat(1e4)",
    ),
  ),
  "a million rows": running("document.body.innerHTML = '<p class=item>x</p>'.repeat(1e6)"),
  "control characters": plain(`<title>\x1b]0;x\x07</title><p class=item>\u202e\u0000\x9b2J</p>`),
};

/** Ways that might lead past the egress proxy, or to what it refuses. */
const reaching: HostilePages = Object.fromEntries(
  Object.entries<(canary: string) => string>({
    "a request": (canary) => `fetch("http://${canary}/", { mode: "no-cors" }).catch(() => {})`,
    "a secure request": (canary) => `fetch("https://${canary}/", { mode: "no-cors" }).catch(() => {})`,
    "other spellings": (canary) =>
      `for (const host of ["localhost", "127.1", "2130706433", "0x7f.1", "[::1]", "[::ffff:127.0.0.1]", "0", "127.0.0.1."]) fetch("http://" + host + ":${canary.split(":")[1]}/", { mode: "no-cors" }).catch(() => {})`,
    "a socket": (canary) => `new WebSocket("ws://${canary}/"); new WebSocket("wss://${canary}/")`,
    "a stream of events": (canary) => `new EventSource("http://${canary}/")`,
    "a beacon": (canary) => `navigator.sendBeacon("http://${canary}/", "x")`,
    "a frame": (canary) =>
      `document.body.append(Object.assign(document.createElement("iframe"), { src: "http://${canary}/" }))`,
    "a picture and a script": (canary) =>
      `new Image().src = "http://${canary}/"; document.body.append(Object.assign(document.createElement("script"), { src: "http://${canary}/" }))`,
    "a form": (canary) =>
      `document.body.insertAdjacentHTML("beforeend", '<form method=post target=_blank action="http://${canary}/">'); document.forms[0].submit()`,
    "a link that is preloaded": (canary) =>
      `document.head.innerHTML = ["preconnect", "dns-prefetch", "prefetch", "preload", "modulepreload", "prerender"].map((rel) => '<link rel=' + rel + ' as=fetch href="http://${canary}/">').join("")`,
    "speculation rules": (canary) =>
      `document.head.append(Object.assign(document.createElement("script"), { type: "speculationrules", text: '{"prefetch":[{"urls":["http://${canary}/"]}],"prerender":[{"urls":["http://${canary}/"]}]}' }))`,
    "a worker": (canary) =>
      worker(
        `fetch("http://${canary}/", { mode: "no-cors" }).catch(() => {}); importScripts("http://${canary}/")`,
      ),
    "a service worker": () => `navigator.serviceWorker?.register("/").catch(() => {})`,
    WebRTC: (canary) =>
      `const [host, port] = "${canary}".split(":"); const peer = new RTCPeerConnection({ iceServers: [{ urls: ["stun:" + host + ":" + port, "turn:" + host + ":" + port + "?transport=tcp"], username: "x", credential: "x" }] }); peer.createDataChannel("x"); peer.createOffer().then((offer) => peer.setLocalDescription(offer))`,
    WebTransport: (canary) => `new WebTransport("https://${canary}/").ready.catch(() => {})`,
    "a file": () => `fetch("file:///etc/passwd").catch(() => {}); location = "file:///etc/passwd"`,
    "another page": (canary) => `location = "http://${canary}/"`,
    "a page of the browser": () =>
      `location = "chrome://version"; open("devtools://devtools/bundled/inspector.html")`,
  }).map(([name, script]) => [`${name} to the inside`, (canary: string) => loaded(script(canary))]),
);

export const hostilePages: HostilePages = {
  ...memory,
  ...disk,
  ...time,
  ...messages,
  ...windows,
  ...requests,
  ...document,
  ...reaching,
};
