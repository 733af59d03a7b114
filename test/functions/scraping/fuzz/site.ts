import { setTimeout as sleep } from "node:timers/promises";
import { type Handler, type Site, sendHtml } from "../../../site/site.ts";
import { createDrawings } from "./in-page/drawings.ts";
import { createNoises } from "./in-page/noises.ts";
import { createPagers } from "./in-page/pagers.ts";
import { showPart, showParts } from "./in-page/parts.ts";
import { type Parts, runPage } from "./in-page/run-page.ts";
import { createSources } from "./in-page/sources.ts";
import { createSteps } from "./in-page/steps.ts";
import { itemsOf, type PageConfig } from "./page-config.ts";

const PARTS: Parts = { createSources, createDrawings, createPagers, createSteps, createNoises, showParts };

const isScrolled = ({ pager }: PageConfig) => pager.startsWith("scroll");

/** The control of a page that shows more of the list. */
function controlOf({ pager, pages }: PageConfig, base: string, page: number): string {
  const isLast = page >= pages;
  switch (pager) {
    case "link":
      return isLast ? "" : `<a class=control href="${base}?page=${page + 1}">Next</a>`;
    case "form":
      return isLast
        ? ""
        : `<form method=post action="${base}"><input type=hidden name=page value=${page + 1}><button class=control>Next</button></form>`;
    case "fragment":
      return `<a class=control href="#${page + 1}">Next</a>`;
    case "history":
      return `<a class=control href="?page=${page + 1}">Next</a>`;
    case "button":
      return "<button class=control>Next</button>";
    case "numbers":
      return "<nav class=numbers></nav>";
    case "more":
      return "<button class=control>More</button>";
    default:
      return "";
  }
}

const listOf = ({ layout }: PageConfig) =>
  layout === "table"
    ? "<table><thead><tr><th>Name<th>Price<th>More</thead><tbody id=list></tbody></table>"
    : "<div id=list></div>";

function htmlOf(config: PageConfig, base: string, page: number): string {
  const items = Array.from({ length: config.pages }, (_, index) => itemsOf(config, index + 1));
  const task = JSON.stringify({ ...config, base, page, items });
  const box = config.pager === "scrollBox" ? "#box { height: 500px; overflow: auto }" : "";
  const height = isScrolled(config) ? ".item { min-height: 420px !important } tr.item { height: 420px }" : "";
  return `<!doctype html><title>Shop</title><style>${box}${height}</style><h1>Shop</h1><div id=clock>-</div>
<div id=box>${listOf(config)}<div id=end style="height: 2px"></div></div>${controlOf(config, base, page)}
<script>${Object.values(PARTS).join("\n")}
(${runPage})(${task}, { ${Object.keys(PARTS).join(", ")} })</script>`;
}

/** Serves the pages of a config, and their data. Returns the address of the first page. */
export function servePages(site: Site, config: PageConfig): string {
  const path = site.newPath();
  const base = site.url(path);
  const { dataMs } = config;
  const data = (answer: (page: number) => string, type: string, ms = dataMs): Handler => {
    return async ({ url = "" }, response) => {
      const page = Number(new URL(url, base).searchParams.get("page") ?? 1);
      await sleep(ms);
      response.writeHead(200, { "content-type": type }).end(answer(page));
    };
  };
  const rows = (page: number) => itemsOf(config, page);
  const asked = new Set<string | undefined>();
  const json = (page: number) => JSON.stringify(rows(page));
  const routes: Record<string, Handler> = {
    data: data(json, "application/json"),
    async busy(request, response) {
      const isFirst = !asked.has(request.url);
      asked.add(request.url);
      if (isFirst) response.writeHead(503).end();
      else await routes.data?.(request, response);
    },
    token: data(() => '{"token":1}', "application/json"),
    jsonp: data((page) => `take${page}(${json(page)})`, "text/javascript"),
    module: data((page) => `export default ${json(page)}`, "text/javascript"),
    html: data(
      (page) =>
        rows(page)
          .map((row) => `<li>${JSON.stringify(row)}`)
          .join(""),
      "text/html",
    ),
    frame: data((page) => `<script>parent.postMessage(${json(page)}, "*")</script>`, "text/html"),
    "picture.png": data(() => "", "image/png"),
    "late.css": data(() => "h1 { color: red }", "text/css"),
    stock: data((number) => `${number} left`, "text/plain"),
    messages: data(() => "", "text/plain", 200),
    endless: () => {},
    async stream({ url = "" }, response) {
      for (const row of rows(Number(new URL(url, base).searchParams.get("page")))) {
        response.write(`${JSON.stringify(row)}\n`);
        await sleep(Math.min(dataMs, 200));
      }
      response.end();
    },
    async events({ url = "" }, response) {
      response.writeHead(200, { "content-type": "text/event-stream" });
      await sleep(Math.min(dataMs, 700));
      response.write(`data: ${json(Number(new URL(url, base).searchParams.get("page")))}\n\n`);
    },
  };
  for (const [name, handler] of Object.entries(routes)) site.setRoute(`${path}/${name}`, handler);
  site.setRoute(path, async (request, response) => {
    let form = "";
    for await (const chunk of request) form += chunk;
    const asked = new URL(request.url ?? "", base).searchParams.get("page");
    const page = Number(new URLSearchParams(form).get("page") ?? asked ?? 1);
    await sleep(config.documentMs);
    if (page > config.pages) sendHtml(response, "<h1>Not found</h1>", 404);
    else sendHtml(response, htmlOf(config, base, page));
  });
  const task = JSON.stringify({ ...config, base });
  const itemPage = (number: number) =>
    `<!doctype html><h1>Item</h1><script>(${showPart})(${task}, ${number})</script>`;
  for (let number = 1; number <= config.pages * config.rows; number += 1)
    site.setRoute(`${path}/items/${number}`, async (_, response) => {
      await sleep(Math.min(config.documentMs, 200));
      sendHtml(response, itemPage(number));
    });
  site.setRoute(
    `${path}/framed`,
    `<!doctype html><h2>Frame</h2><iframe src="${base}" width=800 height=600></iframe>`,
  );
  return base;
}
