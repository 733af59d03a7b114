import { cardList, lamps, type Page, type Pages, SITE, visit } from "../page.ts";
import { answer } from "../parts/documents.ts";

const WORKER = `onconnect = ({ ports: [port] }) => {
  port.onmessage = async ({ data }) => port.postMessage(await (await fetch("/worker-rows?n=" + data)).text());
};`;

/** A page whose next rows come from a shared worker, where there is one. */
const page = (script: string): Page => ({
  html: `<ul><li class=card>Lamp 1</li></ul><button>More</button><script>
    const show = (text) => document.querySelector('ul').insertAdjacentHTML('beforeend', text);
    const more = document.querySelector("button");
    let last = 1;
    more.onclick = () => { ask(last += 1); if (last === 4) more.remove(); };
    ${script}</script>`,
  routes: {
    "/worker.js": answer(WORKER, { type: "text/javascript" }),
    "/worker-rows": ({ url = "" }, response) => {
      const n = new URL(url, SITE).searchParams.get("n");
      setTimeout(() => response.end(`<li class=card>Lamp ${n}</li>`), 200);
    },
  },
  steps: [visit(), cardList],
  pagination: { type: "load_more", selector: "button" },
});

/** A worker that takes some real time for what it does, as an expression. */
const slow = (act: string) => `new Worker(URL.createObjectURL(new Blob([${JSON.stringify(act)}])))`;
const asked = slow("onmessage = ({ data }) => setTimeout(() => postMessage(data), 700)");

const SHOW = "({ data }) => show('<li class=card>Lamp ' + data)";
/** How the page asks a worker for the row `n`. */
const ASKS = {
  "by a message": `const worker = ${asked}; worker.onmessage = ${SHOW}; const ask = (n) => worker.postMessage(n);`,
  "by a message with an answer of the server": `const worker = ${asked}; worker.onmessage = ${SHOW};
    const ask = async (n) => { await (await fetch("/worker-rows?n=" + n)).text(); worker.postMessage(n); };`,
  "by the ports of a channel": `const worker = ${slow("onmessage = ({ ports: [port] }) => { port.onmessage = ({ data }) => setTimeout(() => port.postMessage(data), 700); }")};
    const { port1, port2 } = new MessageChannel(); worker.postMessage("", [port2]);
    port1.onmessage = ${SHOW}; const ask = (n) => port1.postMessage(n);`,
  "by a channel with a name": `${slow("const rows = new BroadcastChannel('rows'); rows.onmessage = ({ data }) => setTimeout(() => rows.postMessage(data), 700)")};
    const channel = new BroadcastChannel("rows"); channel.onmessage = ${SHOW}; const ask = (n) => channel.postMessage(n);`,
  "by starting it": `let n; const ask = (next) => { n = next; ${slow("setTimeout(() => postMessage(''), 700)")}.onmessage = () => show('<li class=card>Lamp ' + n); };`,
};

export default {
  "a press may ask a worker for rows": {
    variants: Object.fromEntries(
      Object.entries(ASKS).map(([how, script]) => [how, { ...page(script), rows: lamps(1, 4) }]),
    ),
  },
  "a page does without shared workers": {
    ...page(`let ask = async (n) => show(await (await fetch("/worker-rows?n=" + n)).text());
    if (window.SharedWorker) {
      const { port } = new SharedWorker("/worker.js");
      port.onmessage = ({ data }) => show(data);
      ask = (n) => port.postMessage(n);
    }`),
    rows: lamps(1, 4),
  },
  "a page that needs a shared worker causes a warning": {
    ...page(`let port;
    const ask = (n) => {
      if (!port) { port = new SharedWorker("/worker.js").port; port.onmessage = ({ data }) => show(data); }
      port.postMessage(n);
    };`),
    rows: [{ name: "Lamp 1" }],
    warnings: [{ code: "rows_may_be_missing", message: "SharedWorker is not defined" }],
  },
} satisfies Pages;
