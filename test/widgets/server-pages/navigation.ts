import { books, orders, people } from "../data.ts";
import { booksOn, card, html, pageOf, pager, type Render, script, style } from "./html.ts";

/** Pages on which a library fetches further pages, or parts of pages, from the server. */
export const navigationPages: Record<string, Render> = {
  "infinite-scroll": (url) => {
    const page = pageOf(url);
    return html(
      "Infinite Scroll",
      script("infinite-scroll/dist/infinite-scroll.pkgd.min.js"),
      `<h1>Books</h1>
<div class="container">${booksOn(page, 12).map(card).join("\n")}</div>
${page < 8 ? `<a class="pagination__next" href="/infinite-scroll?page=${page + 1}">Next page</a>` : ""}
<div class="page-load-status"><p class="infinite-scroll-request">Loading…</p><p class="infinite-scroll-last">End of content</p></div>
<script>
new InfiniteScroll(".container", { path: ".pagination__next", append: ".card", status: ".page-load-status", hideNav: ".pagination__next", history: false });
</script>`,
    );
  },
  "infinite-scroll-button": (url) => {
    const page = pageOf(url);
    return html(
      "Infinite Scroll: button",
      script("infinite-scroll/dist/infinite-scroll.pkgd.min.js"),
      `<h1>Books</h1>
<div class="container">${booksOn(page, 12).map(card).join("\n")}</div>
${page < 5 ? `<a class="pagination__next" href="/infinite-scroll-button?page=${page + 1}" hidden>Next page</a>` : ""}
<button class="view-more-button">View more</button>
<script>
new InfiniteScroll(".container", { path: ".pagination__next", append: ".card", button: ".view-more-button", scrollThreshold: false, history: false });
</script>`,
    );
  },
  turbo: (url) => {
    const page = pageOf(url);
    return html(
      `Books, page ${page}`,
      script("@hotwired/turbo/dist/turbo.es2017-umd.js").replace("<script", "<script defer"),
      `<h1>Books, page ${page}</h1>
<main>${booksOn(page, 20).map(card).join("\n")}</main>
${pager("/turbo", page, 5)}`,
    );
  },
  "turbo-frame": (url) => {
    const page = pageOf(url);
    return html(
      "Books in a frame",
      script("@hotwired/turbo/dist/turbo.es2017-umd.js").replace("<script", "<script defer"),
      `<h1>Books</h1>
<turbo-frame id="books">
<section>${booksOn(page, 16).map(card).join("\n")}</section>
${pager("/turbo-frame", page, 6)}
</turbo-frame>`,
    );
  },
  "turbo-lazy": (url) => {
    const page = pageOf(url);
    const rows = booksOn(page, 16).map(card).join("\n");
    const next =
      page < 6
        ? `<turbo-frame id="page-${page + 1}" src="/turbo-lazy?page=${page + 1}" loading="lazy"><p>Loading…</p></turbo-frame>`
        : "";
    return html(
      "Books in frames that load when they come into view",
      script("@hotwired/turbo/dist/turbo.es2017-umd.js").replace("<script", "<script defer"),
      page === 1
        ? `<h1>Books</h1>${rows}${next}`
        : `<turbo-frame id="page-${page}">${rows}${next}</turbo-frame>`,
    );
  },
  book: (url) => {
    const id = Number(url.pathname.split("/")[2]);
    const book = books[id - 1];
    return html(
      book?.title ?? "No such book",
      script("@hotwired/turbo/dist/turbo.es2017-umd.js").replace("<script", "<script defer"),
      `<h1>${book?.title}</h1><p class="genre">${book?.genre}</p><p class="blurb">${book?.blurb}</p>`,
    );
  },
  "htmx-load-more": (url) => {
    const page = pageOf(url);
    const rows = `${people
      .slice((page - 1) * 10, page * 10)
      .map(({ name, office }) => `<tr class="agent"><td>${name}</td><td>${office}</td></tr>`)
      .join("\n")}
${
  page < 6
    ? `<tr id="replaceMe"><td colspan="2"><button class="btn" hx-get="/htmx-load-more?page=${page + 1}" hx-target="#replaceMe" hx-swap="outerHTML">Load More Agents...</button></td></tr>`
    : ""
}`;
    return page > 1
      ? rows
      : html(
          "htmx: click to load",
          script("htmx.org/dist/htmx.min.js"),
          `<table><thead><tr><th>Name</th><th>Office</th></tr></thead><tbody>${rows}</tbody></table>`,
        );
  },
  "htmx-scroll": (url) => {
    const page = pageOf(url);
    const shown = orders.slice((page - 1) * 25, Math.min(page * 25, 200));
    const rows = shown
      .map(
        ({ number, customer }, index) =>
          `<tr class="order" ${
            index === shown.length - 1 && page < 8
              ? `hx-get="/htmx-scroll?page=${page + 1}" hx-trigger="revealed" hx-swap="afterend"`
              : ""
          }><td>${number}</td><td>${customer}</td></tr>`,
      )
      .join("\n");
    return page > 1
      ? rows
      : html(
          "htmx: infinite scroll",
          `${script("htmx.org/dist/htmx.min.js")}<style>td { padding: 1rem }</style>`,
          `<table><thead><tr><th>Order</th><th>Customer</th></tr></thead><tbody>${rows}</tbody></table>`,
        );
  },
  "htmx-search": (url, headers) => {
    const q = url.searchParams.get("search")?.toLowerCase() ?? "";
    const rows = people
      .filter(({ name, office }) => `${name} ${office}`.toLowerCase().includes(q))
      .map(({ name, office }) => `<tr><td>${name}</td><td>${office}</td></tr>`)
      .join("\n");
    return headers["hx-request"]
      ? rows
      : html(
          "htmx: active search",
          script("htmx.org/dist/htmx.min.js"),
          `<h3>Search Contacts</h3>
<input class="form-control" type="search" name="search" placeholder="Begin Typing To Search Users..."
 hx-get="/htmx-search" hx-trigger="input changed delay:500ms, keyup[key=='Enter'], load" hx-target="#search-results">
<table class="table"><thead><tr><th>Name</th><th>Office</th></tr></thead><tbody id="search-results"></tbody></table>`,
        );
  },
  "htmx-boost": (url) => {
    const page = pageOf(url);
    return html(
      `Books, page ${page}`,
      script("htmx.org/dist/htmx.min.js"),
      `<div hx-boost="true">
<h1>Books, page ${page}</h1>
<main>${booksOn(page, 20).map(card).join("\n")}</main>
${pager("/htmx-boost", page, 5)}
</div>`,
    );
  },
  unpoly: (url) => {
    const page = pageOf(url);
    return html(
      `Books, page ${page}`,
      style("unpoly/unpoly.min.css") + script("unpoly/unpoly.min.js"),
      `<h1>Books</h1>
<div class="books">${booksOn(page, 20).map(card).join("\n")}
${pager("/unpoly", page, 5, 'up-target=".books" up-transition="cross-fade"')}
</div>`,
    );
  },
  swup: (url) => {
    const page = pageOf(url);
    return html(
      `Books, page ${page}`,
      `${script("swup/dist/Swup.umd.js")}<style>
.transition-fade { transition: 0.4s; opacity: 1 }
html.is-animating .transition-fade { opacity: 0 }
</style>`,
      `<main id="swup" class="transition-fade"><h1>Books, page ${page}</h1>
${booksOn(page, 20).map(card).join("\n")}
${pager("/swup", page, 5)}
</main>
<script>new Swup();</script>`,
    );
  },
};
