import type { IncomingHttpHeaders } from "node:http";
import { type Book, books, events, genres, orders, people } from "./data.ts";

/** Pages whose HTML has the records, as a server renders them. */
type Render = (url: URL, headers: IncomingHttpHeaders) => string;

/** The page of that name, or undefined where there is none. */
export const renderPage = (name: string, url: URL, headers: IncomingHttpHeaders): string | undefined =>
  pages[name]?.(url, headers);

const html = (title: string, head: string, body: string) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>${title}</title>
<style>body { font-family: sans-serif; margin: 1rem; max-width: 60rem }</style>
${head}
</head>
<body>
${body}
</body>
</html>`;

const script = (path: string) => `<script src="/npm/${path}"></script>`;
const style = (path: string) => `<link rel="stylesheet" href="/npm/${path}">`;
const jquery = script("jquery/dist/jquery.min.js");

const tableOf = (attributes: string, heads: readonly string[], rows: readonly (string | number)[][]) =>
  `<table ${attributes}><thead><tr>${heads.map((head) => `<th>${head}</th>`).join("")}</tr></thead>
<tbody>
${rows.map((row) => `<tr>${row.map((cell) => `<td>${cell}</td>`).join("")}</tr>`).join("\n")}
</tbody></table>`;

const staff = () =>
  people.map(({ name, position, office, age, start, salary }) => [
    name,
    position,
    office,
    age,
    start,
    salary,
  ]);
const staffHeads = ["Name", "Position", "Office", "Age", "Start date", "Salary"];

const card = ({ id, title, author, price }: Book) =>
  `<article class="card" id="book-${id}"><h3><a href="/book/${id}">${title}</a></h3><p class="author">${author}</p><p class="price">${price}</p></article>`;

/** One page of a list with links to the others; `attributes` are those of the links. */
const pager = (path: string, page: number, last: number, attributes = "") => {
  const link = (number: number, text: string, rel = "") =>
    `<a href="${path}?page=${number}" ${rel} ${attributes}>${text}</a>`;
  return `<nav class="pager">
${page > 1 ? link(page - 1, "Previous", 'rel="prev"') : ""}
${Array.from({ length: last }, (_, index) => (index + 1 === page ? `<b>${page}</b>` : link(index + 1, String(index + 1)))).join(" ")}
${page < last ? link(page + 1, "Next", 'rel="next"') : ""}
</nav>`;
};
const pageOf = (url: URL) => Number(url.searchParams.get("page") ?? 1);
const booksOn = (page: number, size: number) => books.slice((page - 1) * size, page * size);

/** A field by which the list below it is narrowed down, as the server's data has it; `setup` makes a widget of it. */
const filterPage = (title: string, head: string, field: string, setup: string) =>
  html(
    title,
    head,
    `<div>${field}</div>
<ul id="list"></ul>
<script>
const list = document.getElementById("list");
async function show(genre) {
  const response = await fetch("/data/books?" + new URLSearchParams(genre ? { genre } : { limit: 20 }));
  const { rows } = await response.json();
  list.innerHTML = rows.map(({ title, price }) => \`<li class="book"><b>\${title}</b> <i>\${price}</i></li>\`).join("");
}
show("");
${setup}
</script>`,
  );
const genreSelect = `<label for="genre">Genre</label>
<select id="genre" name="genre" style="width: 20rem"><option value="">All genres</option>${genres.map((genre) => `<option>${genre}</option>`).join("")}</select>`;

const pages: Record<string, Render> = {
  datatables: () =>
    html(
      "DataTables: zero configuration",
      style("datatables.net-dt/css/dataTables.dataTables.min.css") +
        jquery +
        script("datatables.net/js/dataTables.min.js"),
      `<h1>Staff</h1>
${tableOf('id="example" class="display" style="width:100%"', staffHeads, staff())}
<script>$(document).ready(function () { $("#example").DataTable(); });</script>`,
    ),
  "simple-datatables": () =>
    html(
      "simple-datatables",
      style("simple-datatables/dist/style.css"),
      `${tableOf(
        'id="myTable"',
        ["Title", "Author", "Price"],
        books.map(({ title, author, price }) => [title, author, price]),
      )}
${script("simple-datatables/dist/umd/simple-datatables.js")}
<script>
document.addEventListener("DOMContentLoaded", () => {
  new simpleDatatables.DataTable("#myTable", { perPage: 10 });
});
</script>`,
    ),
  "list-js": () =>
    html(
      "List.js",
      script("list.js/dist/list.min.js"),
      `<div id="books">
<input class="search" placeholder="Search">
<ul class="list">${books.map(({ title, author }) => `<li><h3 class="name">${title}</h3><p class="author">${author}</p></li>`).join("")}</ul>
<ul class="pagination"></ul>
</div>
<script>new List("books", { valueNames: ["name", "author"], page: 8, pagination: true });</script>`,
    ),
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
  choices: () =>
    filterPage(
      "Choices.js",
      style("choices.js/public/assets/styles/choices.min.css") +
        script("choices.js/public/assets/scripts/choices.min.js"),
      genreSelect,
      `const select = document.getElementById("genre");
new Choices(select);
select.addEventListener("change", () => show(select.value));`,
    ),
  "tom-select": () =>
    filterPage(
      "Tom Select",
      style("tom-select/dist/css/tom-select.css") + script("tom-select/dist/js/tom-select.complete.min.js"),
      genreSelect,
      `new TomSelect("#genre", { onChange: show });`,
    ),
  "tom-select-remote": () =>
    filterPage(
      "Tom Select: options from the server",
      style("tom-select/dist/css/tom-select.css") + script("tom-select/dist/js/tom-select.complete.min.js"),
      `<label for="genre">Genre</label> <select id="genre" placeholder="Type a genre..."></select>`,
      `new TomSelect("#genre", {
  valueField: "name",
  labelField: "name",
  searchField: "name",
  load(query, callback) {
    fetch("/data/genres?q=" + encodeURIComponent(query))
      .then((response) => response.json())
      .then(({ rows }) => callback(rows), () => callback());
  },
  onChange: show,
});`,
    ),
  select2: () =>
    filterPage(
      "Select2",
      style("select2/dist/css/select2.min.css") + jquery + script("select2/dist/js/select2.min.js"),
      genreSelect,
      `$(document).ready(() => { $("#genre").select2().on("change", (event) => show(event.target.value)); });`,
    ),
  "slim-select": () =>
    filterPage(
      "Slim Select",
      style("slim-select/dist/slimselect.css") + script("slim-select/dist/slimselect.js"),
      genreSelect,
      `new SlimSelect({ select: "#genre", events: { afterChange: ([option]) => show(option.value) } });`,
    ),
  chosen: () =>
    filterPage(
      "Chosen",
      style("chosen-js/chosen.min.css") + jquery + script("chosen-js/chosen.jquery.min.js"),
      genreSelect,
      `$("#genre").chosen().change((event) => show(event.target.value));`,
    ),
  "shoelace-select": () =>
    filterPage(
      "Shoelace: select",
      `${style("@shoelace-style/shoelace/cdn/themes/light.css")}<script type="module" src="/npm/@shoelace-style/shoelace/cdn/shoelace-autoloader.js"></script>`,
      `<sl-select label="Genre" placeholder="Choose a genre">${genres.map((genre) => `<sl-option value="${genre}">${genre}</sl-option>`).join("")}</sl-select>`,
      `document.querySelector("sl-select").addEventListener("sl-change", (event) => show(event.target.value));`,
    ),
  "bootstrap-dropdown": () =>
    filterPage(
      "Bootstrap: dropdown",
      style("bootstrap/dist/css/bootstrap.min.css") + script("bootstrap/dist/js/bootstrap.bundle.min.js"),
      `<div class="dropdown"><button class="btn btn-secondary dropdown-toggle" type="button" data-bs-toggle="dropdown" aria-expanded="false">Genre</button>
<ul class="dropdown-menu">${genres.map((genre) => `<li><a class="dropdown-item" href="#">${genre}</a></li>`).join("")}</ul></div>`,
      `for (const item of document.querySelectorAll(".dropdown-item"))
  item.addEventListener("click", (event) => {
    event.preventDefault();
    show(item.textContent);
  });`,
    ),
  awesomplete: () =>
    filterPage(
      "Awesomplete",
      style("awesomplete/awesomplete.css") + script("awesomplete/awesomplete.min.js"),
      `<label for="genre">Genre</label> <input id="genre" class="awesomplete" data-list="${genres.join(", ")}">`,
      `document.getElementById("genre").addEventListener("awesomplete-selectcomplete", (event) => show(event.text.value));`,
    ),
  "accessible-autocomplete": () =>
    filterPage(
      "Accessible autocomplete",
      style("accessible-autocomplete/dist/accessible-autocomplete.min.css") +
        script("accessible-autocomplete/dist/accessible-autocomplete.min.js"),
      `<label for="genre">Select a genre</label><div id="container"></div>`,
      `accessibleAutocomplete({
  element: document.getElementById("container"),
  id: "genre",
  source: ${JSON.stringify(genres)},
  onConfirm: (genre) => genre && show(genre),
});`,
    ),
  flatpickr: () =>
    eventsPage(
      "flatpickr",
      style("flatpickr/dist/flatpickr.min.css") + script("flatpickr/dist/flatpickr.min.js"),
      `flatpickr("#day", { onChange: (dates, day) => show(day), defaultDate: "2026-03-01" });`,
    ),
  "vanillajs-datepicker": () =>
    eventsPage(
      "vanillajs-datepicker",
      style("vanillajs-datepicker/dist/css/datepicker.min.css") +
        script("vanillajs-datepicker/dist/js/datepicker.min.js"),
      `const input = document.getElementById("day");
new Datepicker(input, { format: "yyyy-mm-dd", defaultViewDate: "2026-03-01", autohide: true });
input.addEventListener("changeDate", () => show(input.value));`,
    ),
  "vanilla-cookieconsent": () =>
    html(
      "CookieConsent",
      style("vanilla-cookieconsent/dist/cookieconsent.css"),
      `<h1>Books</h1><main></main>
<script type="module">
import "/npm/vanilla-cookieconsent/dist/cookieconsent.umd.js";
CookieConsent.run({
  hideFromBots: false,
  guiOptions: { consentModal: { layout: "box", position: "middle center" } },
  disablePageInteraction: true,
  categories: { necessary: { enabled: true, readOnly: true }, analytics: {} },
  onConsent: async () => {
    const { rows } = await (await fetch("/data/books?limit=30")).json();
    document.querySelector("main").innerHTML = rows
      .map(({ title, price }) => \`<div class="book"><b>\${title}</b> <i>\${price}</i></div>\`)
      .join("");
  },
  language: {
    default: "en",
    translations: {
      en: {
        consentModal: {
          title: "We use cookies",
          description: "Cookie modal description",
          acceptAllBtn: "Accept all",
          acceptNecessaryBtn: "Reject all",
          showPreferencesBtn: "Manage Individual preferences",
        },
        preferencesModal: { title: "Manage cookie preferences", acceptAllBtn: "Accept all", acceptNecessaryBtn: "Reject all", savePreferencesBtn: "Accept current selection", closeIconLabel: "Close modal", sections: [] },
      },
    },
  },
});
</script>`,
    ),
  cookieconsent: (url) => {
    const page = pageOf(url);
    return html(
      "Cookie Consent",
      style("cookieconsent/build/cookieconsent.min.css"),
      `<h1>Books, page ${page}</h1>
<main>${booksOn(page, 24).map(card).join("\n")}</main>
${pager("/cookieconsent", page, 4)}
${script("cookieconsent/build/cookieconsent.min.js")}
<script>
window.addEventListener("load", () => {
  window.cookieconsent.initialise({ palette: { popup: { background: "#000" }, button: { background: "#f1d600" } }, position: "bottom" });
});
</script>`,
    );
  },
  sweetalert2: (url) => {
    const page = pageOf(url);
    return html(
      "SweetAlert2",
      script("sweetalert2/dist/sweetalert2.all.min.js"),
      `<h1>Books, page ${page}</h1>
<main>${booksOn(page, 24).map(card).join("\n")}</main>
${pager("/sweetalert2", page, 4)}
${
  page === 1
    ? `<script>
setTimeout(() => Swal.fire({ title: "Stay in touch", text: "Get our newsletter?", showCancelButton: true, confirmButtonText: "Yes, please", cancelButtonText: "No, thanks", allowOutsideClick: false }), 800);
</script>`
    : ""
}`,
    );
  },
  micromodal: () =>
    html(
      "Micromodal",
      `${script("micromodal/dist/micromodal.min.js")}<style>
.modal { display: none } .modal.is-open { display: block }
.modal__overlay { position: fixed; inset: 0; background: rgba(0,0,0,.6); display: flex; justify-content: center; align-items: center }
.modal__container { background: #fff; padding: 30px; max-height: 100vh; overflow-y: auto }
</style>`,
      `<button data-micromodal-trigger="modal-1">Show the staff</button>
<div class="modal" id="modal-1" aria-hidden="true"><div class="modal__overlay" tabindex="-1" data-micromodal-close>
<div class="modal__container" role="dialog" aria-modal="true" aria-labelledby="modal-1-title">
<h2 id="modal-1-title">Staff</h2><ul id="modal-1-content"></ul></div></div></div>
<script>
MicroModal.init({
  onShow: async () => {
    const { rows } = await (await fetch("/data/people?limit=12")).json();
    document.getElementById("modal-1-content").innerHTML = rows.map(({ name }) => \`<li>\${name}</li>\`).join("");
  },
});
</script>`,
    ),
  "bootstrap-modal": () =>
    html(
      "Bootstrap: modal",
      style("bootstrap/dist/css/bootstrap.min.css") + script("bootstrap/dist/js/bootstrap.bundle.min.js"),
      `<button type="button" class="btn btn-primary" data-bs-toggle="modal" data-bs-target="#exampleModal">Price list</button>
<div class="modal fade" id="exampleModal" tabindex="-1" aria-labelledby="exampleModalLabel" aria-hidden="true"><div class="modal-dialog"><div class="modal-content">
<div class="modal-header"><h1 class="modal-title fs-5" id="exampleModalLabel">Prices</h1><button type="button" class="btn-close" data-bs-dismiss="modal" aria-label="Close"></button></div>
<div class="modal-body"></div></div></div></div>
<script>
document.getElementById("exampleModal").addEventListener("shown.bs.modal", async (event) => {
  const { rows } = await (await fetch("/data/books?limit=15")).json();
  event.target.querySelector(".modal-body").innerHTML = rows.map(({ title, price }) => \`<p class="book"><b>\${title}</b> <i>\${price}</i></p>\`).join("");
});
</script>`,
    ),
  "bootstrap-tabs": () =>
    html(
      "Bootstrap: tabs",
      style("bootstrap/dist/css/bootstrap.min.css") + script("bootstrap/dist/js/bootstrap.bundle.min.js"),
      `<ul class="nav nav-tabs" role="tablist">
${["Books", "Staff", "Orders"].map((name, index) => `<li class="nav-item" role="presentation"><button class="nav-link ${index === 0 ? "active" : ""}" data-bs-toggle="tab" data-bs-target="#${name}" type="button" role="tab">${name}</button></li>`).join("")}
</ul>
<div class="tab-content">
<div class="tab-pane fade show active" id="Books" role="tabpanel">${books.slice(0, 9).map(card).join("")}</div>
<div class="tab-pane fade" id="Staff" role="tabpanel">${tableOf('class="table"', staffHeads, staff())}</div>
<div class="tab-pane fade" id="Orders" role="tabpanel">${tableOf(
        'class="table"',
        ["Order", "City"],
        orders.slice(0, 20).map(({ number, city }) => [number, city]),
      )}</div>
</div>`,
    ),
  "shoelace-tabs": () =>
    html(
      "Shoelace: tabs and cards",
      `${style("@shoelace-style/shoelace/cdn/themes/light.css")}<script type="module" src="/npm/@shoelace-style/shoelace/cdn/shoelace-autoloader.js"></script>`,
      `<sl-tab-group>
<sl-tab slot="nav" panel="books">Books</sl-tab><sl-tab slot="nav" panel="staff">Staff</sl-tab>
<sl-tab-panel name="books">${books.slice(0, 9).map(card).join("")}</sl-tab-panel>
<sl-tab-panel name="staff">${people.map(({ name, office }) => `<sl-card class="person"><strong slot="header">${name}</strong><span class="office">${office}</span></sl-card>`).join("")}</sl-tab-panel>
</sl-tab-group>`,
    ),
};

/** A field for a date, and the events of the day that is chosen. */
function eventsPage(title: string, head: string, setup: string): string {
  return html(
    title,
    head,
    `<div><label for="day">Day</label> <input id="day" autocomplete="off"></div>
<ul id="list">${events
      .slice(0, 10)
      .map(({ name, date }) => `<li class="event"><b>${name}</b> <i>${date}</i></li>`)
      .join("")}</ul>
<script>
async function show(date) {
  const { rows } = await (await fetch("/data/events?date=" + date)).json();
  document.getElementById("list").innerHTML = rows.map(({ name, date }) => \`<li class="event"><b>\${name}</b> <i>\${date}</i></li>\`).join("");
}
${setup}
</script>`,
  );
}
