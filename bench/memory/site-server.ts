import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** Pages of any size, and lists of any length, in a process of its own. */
const ROWS_A_PAGE = 50;

const cell = (name: string, text: string) => `<td class="c-${name}">${text}</td>`;
const rowOf = (n: number) =>
  `<tr class="row">${cell("sku", `SKU-${n}`)}${cell("name", `Oak Lamp No. ${n}`)}${cell("price", `€${n % 900}.00`)}${cell("stock", `${n % 40} in stock`)}${cell("place", `Aisle ${n % 30}, bay ${n % 7}`)}</tr>\n`;

function pageOf(from: number, count: number, next: string): string {
  let rows = "";
  for (let n = from; n < from + count; n += 1) rows += rowOf(n);
  return `<!doctype html><meta charset="utf-8"><link rel="icon" href="data:,"><table>${rows}</table>${next}`;
}

const server = createServer((request, response) => {
  const { pathname, searchParams } = new URL(request.url ?? "/", "http://site");
  const [page, pages, rows] = ["page", "pages", "rows"].map((name) => Number(searchParams.get(name) ?? 1));
  if (pathname === "/table") return send(pageOf(0, rows as number, ""));
  if (pathname !== "/list") return response.writeHead(404).end();
  const [at = 1, last = 1] = [page, pages];
  const next = at < last ? `<a class="next" href="/list?pages=${last}&page=${at + 1}">Next</a>` : "";
  return send(pageOf((at - 1) * ROWS_A_PAGE, ROWS_A_PAGE, next));
  function send(html: string) {
    response.writeHead(200, { "content-type": "text/html; charset=utf-8" }).end(html);
  }
});
server.listen(0, "127.0.0.1", () => {
  process.send?.({ host: `127.0.0.1:${(server.address() as AddressInfo).port}` });
});
process.on("disconnect", () => process.exit(0));
