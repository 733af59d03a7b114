import { expect, test } from "@jest/globals";
import { startEngineAndSite } from "../engine-and-site.ts";

const { engine, site } = await startEngineAndSite();

const WORKER = `onconnect = ({ ports: [port] }) => {
  port.onmessage = async ({ data }) => port.postMessage(await (await fetch("/worker-rows?n=" + data)).text());
};`;
const show = "(text) => document.querySelector('ul').insertAdjacentHTML('beforeend', text)";

/** A page whose next rows come from a shared worker, where there is one. */
function pathOf(script: string): string {
  const path = site.newPath();
  site.setRoute("/worker.js", (_, response) => {
    response.writeHead(200, { "content-type": "text/javascript" }).end(WORKER);
  });
  site.setRoute("/worker-rows", (request, response) => {
    const n = Number(new URL(request.url ?? "", site.origin).searchParams.get("n"));
    setTimeout(() => response.end(`<li>Lamp ${n}</li>`), 300);
  });
  site.setRoute(
    path,
    `<ul><li>Lamp 1</li></ul><button>More</button><script>
    const show = ${show}, more = document.querySelector("button");
    let last = 1;
    more.onclick = () => { ask(last += 1); if (last === 5) more.remove(); };
    ${script}</script>`,
  );
  return path;
}

const run = (path: string) =>
  engine.run({
    steps: [
      { type: "visit", url: site.url(path) },
      { type: "get_list", selector: "li", fields: [{ name: "name" }] },
    ],
    pagination: { type: "load_more", selector: "button" },
  });

test("a page does without shared workers", async () => {
  const told = await run(
    pathOf(`let ask = async (n) => show(await (await fetch("/worker-rows?n=" + n)).text());
    if (window.SharedWorker) {
      const { port } = new SharedWorker("/worker.js");
      port.onmessage = ({ data }) => show(data);
      ask = (n) => port.postMessage(n);
    }`),
  );
  expect(told.rows.map(({ name }) => name)).toEqual([1, 2, 3, 4, 5].map((n) => `Lamp ${n}`));
  expect(told.warnings).toEqual([]);
});

test("a page that needs a shared worker causes a warning", async () => {
  const told = await run(
    pathOf(`let port;
    const ask = (n) => {
      if (!port) { port = new SharedWorker("/worker.js").port; port.onmessage = ({ data }) => show(data); }
      port.postMessage(n);
    };`),
  );
  expect(told.rows).toEqual([{ name: "Lamp 1" }]);
  expect(told.warnings).toMatchObject([
    { code: "rows_may_be_missing", message: expect.stringContaining("SharedWorker is not defined") },
  ]);
});
