import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import type { Row } from "../../../functions/contract/runs/run.ts";

const ITEMS_A_PAGE = 20;
/** Each page takes long enough that a kill meets runs in the middle. */
const PAGE_MS = 120;

/** A site of lists: `/list/N/pages/P` has list N over P pages. */
export async function startSite() {
  const server = createServer(async (request, response) => {
    const match = /^\/list\/(\d+)\/pages\/(\d+)(?:\?page=(\d+))?$/.exec(request.url ?? "");
    if (match === null) {
      response.writeHead(404).end();
      return;
    }
    const [list, pages, page] = [Number(match[1]), Number(match[2]), Number(match[3] ?? 1)];
    await sleep(PAGE_MS);
    const items = rowsOf(list, page).map(
      ({ name, price }) => `<article class="offer"><h2>${name}</h2><p class="cost">${price}</p></article>`,
    );
    const next =
      page < pages
        ? `<a rel="next" href="/list/${list}/pages/${pages}?page=${page + 1}">Older offers</a>`
        : "";
    response
      .writeHead(200, { "content-type": "text/html; charset=utf-8" })
      .end(`<!doctype html><title>List ${list}</title><main>${items.join("")}</main><nav>${next}</nav>`);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

function rowsOf(list: number, page: number): { name: string; price: string }[] {
  return Array.from({ length: ITEMS_A_PAGE }, (_, index) => {
    const number = (page - 1) * ITEMS_A_PAGE + index;
    // Every third offer is equal to its neighbour: rows that are equal are still two.
    return { name: `Offer ${list}-${number - (number % 3 === 2 ? 1 : 0)}`, price: `€${(number * 7) % 90}` };
  }).map((row, index, rows) => (index % 5 === 4 ? { ...(rows[index - 1] ?? row) } : row));
}

/** Whether the scraper of a list recognizes its rows. Then it has each name once, and its runs are compared. */
export const isKeyed = (list: number): boolean => list % 2 === 1;

/** All rows that a run has of a list, in order. @param hasKey whether its scraper has a key */
export function allRows(list: number, pages: number, hasKey = isKeyed(list)): Row[] {
  const rows: Row[] = Array.from({ length: pages }, (_, index) => rowsOf(list, index + 1)).flat();
  if (!hasKey) return rows;
  return rows.filter(({ name }, index) => rows.findIndex((other) => other.name === name) === index);
}

export const scraperOf = (siteUrl: string, list: number, pages: number) => ({
  name: `List ${list}`,
  steps: [
    { type: "visit", url: `${siteUrl}/list/${list}/pages/${pages}` },
    {
      type: "get_list",
      selector: ".offer",
      fields: [
        { name: "name", selector: "h2" },
        { name: "price", selector: ".cost" },
      ],
      ...(isKeyed(list) && { key: ["name"] }),
    },
  ],
  pagination: { type: "next_button", selector: "a[rel=next]" },
  rows_limit: 100_000,
});
