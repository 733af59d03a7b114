import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { deflateSync } from "node:zlib";

export const LIST_PAGES = 20;
export const ITEMS_A_PAGE = 50;
export const TABLE_ROWS = 10_000;
export const DETAILS = 50;
export const SHORT_ROWS = 50;
/** Pages of the list that shows "Loading" before each of them. */
export const SLOW_PAGES = 5;
export const LATE_DETAILS = 12;
/** How long a page shows "Loading", how long a search waits for the next key, and how late details appear, in ms. */
const LOADING_MS = 1_000;
const DEBOUNCE_MS = 500;
const LATE_MS = 1_000;

/** A shop on loopback with images and style sheets: the same pages for every contestant. */
export interface ShopSite {
  origin: string;
  close(): Promise<void>;
}

const words = "Oak Brass Linen Copper Walnut Marble Rattan Velvet Slate Cedar Amber Ivory".split(" ");
const things = "Lamp Chair Table Shelf Mirror Basket Rug Vase Stool Bench Clock Tray".split(" ");
export const nameOf = (n: number) => `${words[n % 12]} ${things[Math.floor(n / 12) % 12]} No. ${n}`;
export const priceOf = (n: number) => `€${((n * 37) % 900) + 10}.${String(n % 100).padStart(2, "0")}`;
export const finishOf = (n: number) => words[(n + 3) % 12]?.toLowerCase();
export const materialOf = (n: number) => words[n % 12] ?? "";
export const weightOf = (n: number) => `${(n % 90) / 10} kg`;
export const ratingOf = (n: number) => `${(n % 50) / 10} / 5`;

const card = (n: number, path = "/item") => `
<article class="product-card" data-sku="SKU-${n}">
  <a class="product-card__media" href="${path}/${n}"><img src="/img/${n % 200}.png" alt="${nameOf(n)}" width="240" height="180" loading="eager"></a>
  <div class="product-card__body">
    <h3 class="product-card__title"><a href="${path}/${n}">${nameOf(n)}</a></h3>
    <p class="product-card__blurb">A ${finishOf(n)} finish,
      made by hand in small numbers &amp; sent in ${(n % 5) + 1} days.</p>
    <div class="product-card__meta"><span class="price">${priceOf(n)}</span><span class="rating" title="rating">${ratingOf(n)}</span></div>
  </div>
</article>`;

const cards = (from: number, count: number, path?: string) => {
  let html = "";
  for (let n = from; n < from + count; n += 1) html += card(n, path);
  return html;
};

/** What most shops run on each of their pages: it counts the visit and binds the buttons. */
const shopScript = `const cart = new Map();
document.addEventListener("DOMContentLoaded", () => {
  document.documentElement.dataset.cart = cart.size;
  for (const card of document.querySelectorAll(".product-card"))
    card.addEventListener("click", () => cart.set(card.dataset.sku, 1));
});`;

const layout = (title: string, body: string, head = "") => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>${title} – Hearth &amp; Home</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="stylesheet" href="/css/base.css"><link rel="stylesheet" href="/css/shop.css">
<link rel="icon" href="data:,">${head}</head>
<body><header class="site-header"><a class="logo" href="/list">Hearth &amp; Home</a>
<nav class="site-nav"><ul><li><a href="/list">Catalogue</a></li><li><a href="/table">Price list</a></li><li><a href="/more">New</a></li></ul></nav></header>
<main class="page">${body}</main>
<footer class="site-footer"><p>© Hearth &amp; Home. All prices include VAT.</p><img src="/img/logo.png" alt=""></footer></body></html>`;

const list = (page: number, path: string, head?: string) =>
  layout(
    `Catalogue, page ${page}`,
    `<h1>Catalogue</h1><section class="grid">${cards((page - 1) * ITEMS_A_PAGE, ITEMS_A_PAGE)}</section>
<nav class="pagination"><span>Page ${page} of ${LIST_PAGES}</span>${page < LIST_PAGES ? `<a class="pagination__next" rel="next" href="${path}?page=${page + 1}">Next</a>` : ""}</nav>`,
    head,
  );

const table = () => {
  let rows = "";
  for (let n = 0; n < TABLE_ROWS; n += 1) {
    rows += `<tr class="stock-row"><td class="c-sku">SKU-${n}</td><td class="c-name">${nameOf(n)}</td><td class="c-price">${priceOf(n)}</td><td class="c-stock">${n % 40} in stock</td><td class="c-place">Aisle ${n % 30}, bay ${n % 7}</td></tr>\n`;
  }
  return layout(
    "Price list",
    `<h1>Price list</h1><table class="stock"><thead><tr><th>Code</th><th>Name</th><th>Price</th><th>Stock</th><th>Place</th></tr></thead><tbody>${rows}</tbody></table>`,
  );
};

const growing = (script: string, control: string, { pages = LIST_PAGES, loadingMs = 0 } = {}) =>
  layout(
    "New",
    `<h1>New</h1><section class="grid" id="grid">${cards(0, ITEMS_A_PAGE)}</section>${control}<script>
const grid = document.getElementById("grid"); let page = 1, busy = false;
async function more() {
  if (busy || page >= ${pages}) return; busy = true; page += 1;
  ${loadingMs > 0 ? `await new Promise((done) => setTimeout(done, ${loadingMs}));` : ""}
  const answer = await fetch("/fragment?page=" + page);
  grid.insertAdjacentHTML("beforeend", await answer.text()); busy = false; after();
}
${script}</script>`,
  );

const loadMore = growing(
  `const button = document.getElementById("more"); button.addEventListener("click", more);
function after() { if (page >= ${LIST_PAGES}) button.remove(); }`,
  `<button id="more" class="button">Load more</button>`,
);
const onScroll = (pages: number) =>
  `const watch = new IntersectionObserver((entries) => { if (entries.some((entry) => entry.isIntersecting)) more(); }, { rootMargin: "200px" });
const end = document.getElementById("end"); watch.observe(end);
function after() { watch.unobserve(end); if (page < ${pages}) watch.observe(end); }`;
const infinite = growing(onScroll(LIST_PAGES), `<div id="end" class="sentinel"></div>`);
const slow = growing(onScroll(SLOW_PAGES), `<div id="end" class="sentinel">Loading</div>`, {
  pages: SLOW_PAGES,
  loadingMs: LOADING_MS,
});

const search = () =>
  layout(
    "Search",
    `<h1>Search</h1><input id="search" type="search"><section class="grid" id="grid"></section><script>
const grid = document.getElementById("grid"); let timer;
document.getElementById("search").addEventListener("input", () => {
  clearTimeout(timer);
  timer = setTimeout(async () => {
    grid.textContent = "Searching";
    const answer = await fetch("/fragment?page=1");
    grid.innerHTML = await answer.text();
  }, ${DEBOUNCE_MS});
});</script>`,
  );

const details = () =>
  layout("Highlights", `<h1>Highlights</h1><section class="grid">${cards(0, DETAILS)}</section>`);

const lateDetails = () =>
  layout(
    "Highlights",
    `<h1>Highlights</h1><section class="grid">${cards(0, LATE_DETAILS, "/late")}</section>`,
  );

const lateItem = (n: number) =>
  layout(
    nameOf(n),
    `<article class="product"><h1 class="product__name">${nameOf(n)}</h1>
<dl class="facts"><dt>Material</dt><dd class="fact-material"></dd><dt>Weight</dt><dd class="fact-weight"></dd></dl></article>
<script>setTimeout(() => {
  document.querySelector(".fact-material").textContent = ${JSON.stringify(materialOf(n))};
  document.querySelector(".fact-weight").textContent = ${JSON.stringify(weightOf(n))};
}, ${LATE_MS});</script>`,
  );

const item = (n: number) =>
  layout(
    nameOf(n),
    `<article class="product"><img src="/img/${n % 200}.png" alt=""><h1 class="product__name">${nameOf(n)}</h1>
<p class="product__price">${priceOf(n)}</p><dl class="facts"><dt>Material</dt><dd class="fact-material">${materialOf(n)}</dd><dt>Weight</dt><dd class="fact-weight">${weightOf(n)}</dd></dl>
<section class="also"><h2>You may also like</h2><div class="grid">${cards(n + 1, 12)}</div></section></article>`,
  );

/** A page without style sheets and scripts. */
const shortPage = () => {
  let items = "";
  for (let n = 0; n < SHORT_ROWS; n += 1) items += `<li><b>${nameOf(n)}</b> <i>${priceOf(n)}</i></li>`;
  return `<!doctype html><meta charset="utf-8"><link rel="icon" href="data:,"><ul>${items}</ul>`;
};

/** A style sheet of the size and the shape that shops send. */
const css = (prefix: string) => {
  let text = `*,*::before,*::after{box-sizing:border-box}body{margin:0;font:16px/1.5 system-ui,sans-serif;color:#222}
.grid{display:grid;grid-template-columns:repeat(auto-fill,minmax(240px,1fr));gap:1.5rem;padding:1rem}
.product-card{border:1px solid #ddd;border-radius:8px;overflow:hidden;display:flex;flex-direction:column}
.product-card__body{padding:1rem}.product-card__meta{display:flex;justify-content:space-between}
.product-card__title a{color:inherit;text-decoration:none}.product-card__title a:hover{text-decoration:underline}
.site-nav ul{display:flex;list-style:none;gap:1rem}.stock{border-collapse:collapse;width:100%}.stock td{padding:4px 8px;border-bottom:1px solid #eee}
.stock-row:nth-child(odd){background:#fafafa}.pagination{display:flex;gap:1rem;justify-content:center}.sentinel{height:1px}
`;
  for (let n = 0; n < 300; n += 1)
    text += `.${prefix}-block-${n} .${prefix}-part-${n} > a:hover{margin:${n % 9}px;padding:${n % 7}px;color:#${String(100 + n)}}\n`;
  return text;
};

/** A noisy PNG of about 20 kB. */
function png(seed: number): Buffer {
  const width = 96;
  const height = 72;
  const raw = Buffer.alloc((width * 3 + 1) * height);
  let state = seed + 1;
  for (let index = 0; index < raw.length; index += 1) {
    state = (state * 1_103_515_245 + 12_345) & 0x7fffffff;
    raw[index] = index % (width * 3 + 1) === 0 ? 0 : state >> 16;
  }
  const crcTable = Array.from({ length: 256 }, (_, n) => {
    let c = n;
    for (let k = 0; k < 8; k += 1) c = c & 1 ? 0xedb88320 ^ (c >>> 1) : c >>> 1;
    return c >>> 0;
  });
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type), data]);
    let crc = 0xffffffff;
    for (const byte of body) crc = (crcTable[(crc ^ byte) & 0xff] ?? 0) ^ (crc >>> 8);
    const head = Buffer.alloc(4);
    head.writeUInt32BE(data.length);
    const tail = Buffer.alloc(4);
    tail.writeUInt32BE((crc ^ 0xffffffff) >>> 0);
    return Buffer.concat([head, body, tail]);
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2, 0, 0, 0], 8);
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk("IHDR", header),
    chunk("IDAT", deflateSync(raw)),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

/** @param latencyMs how long each answer takes to begin */
export async function startShopSite(latencyMs = 0): Promise<ShopSite> {
  const html = { "content-type": "text/html; charset=utf-8" };
  const listsOf = (path: string, head?: string) =>
    Array.from({ length: LIST_PAGES }, (_, index) => list(index + 1, path, head));
  const lists: Record<string, string[]> = {
    "/list": listsOf("/list"),
    "/list-with-scripts": listsOf("/list-with-scripts", '<script src="/js/shop.js"></script>'),
  };
  const items = Array.from({ length: DETAILS }, (_, n) => item(n));
  const lateItems = Array.from({ length: LATE_DETAILS }, (_, n) => lateItem(n));
  const pages: Record<string, string> = {
    "/table": table(),
    "/more": loadMore,
    "/scroll": infinite,
    "/slow-scroll": slow,
    "/search": search(),
    "/details": details(),
    "/late-details": lateDetails(),
    "/short": shortPage(),
  };
  const images = Array.from({ length: 20 }, (_, seed) => png(seed));
  const assets: Record<string, [type: string, text: string]> = {
    "/css/base.css": ["text/css", css("base")],
    "/css/shop.css": ["text/css", css("shop")],
    "/js/shop.js": ["text/javascript", shopScript],
  };
  const answer = (response: ServerResponse, body: string | Buffer | undefined, headers: object) => {
    if (body === undefined) response.writeHead(404).end();
    else response.writeHead(200, { ...headers }).end(body);
  };
  const server = createServer(async (request, response) => {
    if (latencyMs > 0) await sleep(latencyMs);
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://shop");
    const page = Number(searchParams.get("page") ?? 1);
    const asset = assets[pathname];
    if (pathname in lists) answer(response, lists[pathname]?.[page - 1], html);
    else if (pathname === "/fragment") answer(response, cards((page - 1) * ITEMS_A_PAGE, ITEMS_A_PAGE), html);
    else if (pathname.startsWith("/item/")) answer(response, items[Number(pathname.slice(6))], html);
    else if (pathname.startsWith("/late/")) answer(response, lateItems[Number(pathname.slice(6))], html);
    else if (pathname.startsWith("/img/"))
      answer(response, images[(Number.parseInt(pathname.slice(5), 10) || 0) % 20], {
        "content-type": "image/png",
        "cache-control": "max-age=3600",
      });
    else if (asset) answer(response, asset[1], { "content-type": asset[0], "cache-control": "max-age=3600" });
    else answer(response, pages[pathname], html);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}
