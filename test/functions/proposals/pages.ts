import type { Pagination } from "../../../functions/contract/scrapers/scraper.ts";

/** A page of our own, and exactly what is to be proposed for it. */
export interface ExamplePage {
  name: string;
  url?: string;
  html: string;
  /** The first list: its selector, its rows, and the names and kinds of its fields; null: there is no list. */
  list: { selector: string; count: number; fields: Record<string, string> } | null;
  /** The first pagination; null: there is none. */
  pagination?: Pagination | null;
  consent?: { field_name: string } | { selector: string };
  forms?: string[];
}

const URL_OF_LIST = "https://shop.example/list";

const times = (count: number, make: (number: number) => string) =>
  Array.from({ length: count }, (_, index) => make(index + 1)).join("");

const TITLES = [
  "Alder",
  "Birch",
  "Cedar",
  "Dogwood",
  "Elm",
  "Fir",
  "Ginkgo",
  "Hazel",
  "Ironwood",
  "Juniper",
  "Katsura",
  "Larch",
];
const title = (number: number) => TITLES[(number - 1) % TITLES.length] as string;

const card = (number: number) =>
  `<li class="product"><h3><a href="/p/${number}">${title(number)} chair</a></h3><span class="price">$${number}9.50</span></li>`;
const products = `<ul class="products">${times(8, card)}</ul>`;
const PRODUCTS = {
  selector: ".product",
  count: 8,
  fields: { title: "text", url: "url", price: "price" },
};
const next = (control: string) => `<main><h1>Chairs</h1>${products}${control}</main>`;

export const pages: ExamplePage[] = [
  {
    name: "cards in a list",
    html: next(""),
    list: PRODUCTS,
    pagination: null,
  },
  {
    name: "cards with microdata, which names the fields",
    html: `<div id="results">${times(6, (n) => `<div class="c-${n}x9f3a" itemscope itemtype="https://schema.org/Product"><a itemprop="url" href="/p/${n}"><span itemprop="name">${title(n)}</span></a><b itemprop="price">€ ${n},99</b></div>`)}</div>`,
    list: {
      selector: '[itemtype="https://schema.org/Product"]',
      count: 6,
      fields: { url: "url", name: "text", price: "price" },
    },
  },
  {
    name: "test ids, which last longer than classes",
    html: `<section>${times(5, (n) => `<article data-testid="result" class="css-1a2b${n}c"><h2 data-testid="result-title">${title(n)}</h2><p data-testid="summary">About ${title(n)} trees and their wood</p></article>`)}</section>`,
    list: { selector: '[data-testid="result"]', count: 5, fields: { title: "text", text: "text" } },
  },
  {
    name: "a table whose head names the fields",
    html: `<table id="rates"><thead><tr><th>Currency</th><th>Rate</th><th>Changed on</th></tr></thead><tbody>${times(7, (n) => `<tr><td>${title(n)} dollar</td><td>1.${n}3</td><td>2024-03-0${n}</td></tr>`)}</tbody></table>`,
    list: {
      selector: "#rates tr:has(> td)",
      count: 7,
      fields: { currency: "text", rate: "number", changed_on: "date" },
    },
  },
  {
    name: "a table without a tbody of its own for the head",
    html: `<table class="data"><tr><th>Name</th><th>Height</th></tr>${times(6, (n) => `<tr><td><a href="/t/${n}">${title(n)}</a></td><td>${n}0 m</td></tr>`)}</table>`,
    list: {
      selector: ".data tr:has(> td)",
      count: 6,
      fields: { name: "text", name_url: "url", height: "number" },
    },
  },
  {
    name: "rows of cards, which are one list",
    html: `<div class="shelf">${times(3, (row) => `<div class="row">${times(3, (n) => `<div class="card"><h4>${title(row * 3 + n)}</h4><img src="/i/${row}${n}.jpg"></div>`)}</div>`)}</div>`,
    list: { selector: ".card", count: 9, fields: { title: "text", image: "image" } },
  },
  {
    name: "a list behind a large menu",
    html: `<nav><ul>${times(30, (n) => `<li><a href="/c/${n}">Category ${title(n)} ${n}</a></li>`)}</ul></nav>${next("")}`,
    list: PRODUCTS,
  },
  {
    name: "a list above a large footer",
    html: `${next("")}<footer>${times(4, (m) => `<div><h5>Part ${m}</h5><ul>${times(8, (n) => `<li><a href="/f/${m}/${n}">Link ${m} ${n}</a></li>`)}</ul></div>`)}</footer>`,
    list: PRODUCTS,
  },
  {
    name: "hidden rows are none",
    html: `<ul class="menu-of-countries">${times(40, (n) => `<li style="display:none">Country ${n}</li>`)}</ul>${next("")}`,
    list: PRODUCTS,
  },
  {
    name: "an advertisement between the rows",
    html: `<div class="feed">${times(4, (n) => `<div class="story"><h2>${title(n)}</h2><p>A story about ${title(n)}</p></div>`)}<div class="advert"><iframe src="about:blank"></iframe></div>${times(4, (n) => `<div class="story"><h2>${title(n + 4)}</h2><p>A story about ${title(n + 4)}</p></div>`)}</div>`,
    list: { selector: ".story", count: 8, fields: { title: "text", text: "text" } },
  },
  {
    name: "a definition list in each row names the fields",
    html: `<ol class="people">${times(5, (n) => `<li><h3>${title(n)} Smith</h3><dl><dt>Phone</dt><dd>555 01${n}</dd><dt>E-mail</dt><dd>${title(n)}@example.org</dd></dl></li>`)}</ol>`,
    list: { selector: ".people li", count: 5, fields: { title: "text", phone: "number", e_mail: "email" } },
  },
  {
    name: "values that are the same in all rows are left out",
    html: `<ul class="cities">${times(5, (n) => `<li><b class="name">${title(n)}ville</b> <i class="country">Atlantis</i></li>`)}</ul>`,
    list: { selector: ".cities li", count: 5, fields: { title: "text" } },
  },
  {
    name: "hashed classes are not used",
    html: `<div class="grid_3hX9k">${times(6, (n) => `<div class="sc-bdVaJa kQwXyz"><h3 class="Card_title__3hG7x">${title(n)}</h3><span class="Card_price__9kL2m">${n} EUR</span></div>`)}</div>`,
    list: { selector: "div div", count: 6, fields: { title: "text", price: "price" } },
  },
  {
    name: "links only",
    html: `<div class="links">${times(9, (n) => `<a class="entry" href="/e/${n}">Entry about ${title(n)}</a>`)}</div>`,
    list: { selector: ".entry", count: 9, fields: { title: "text", url: "url" } },
  },
  {
    name: "images without text",
    html: `<div class="gallery-of-trees">${times(6, (n) => `<figure><img src="/img/${n}.png" width="100" height="80"></figure>`)}</div>`,
    list: { selector: ".gallery-of-trees figure", count: 6, fields: { image: "image" } },
  },
  {
    name: "images that a script loads later, in a table that names the fields",
    html: `<table class="trees"><tr><th>Name</th><th>Leaf</th></tr>${times(6, (n) => `<tr><td>${title(n)}</td><td><img src="data:," data-src="/img/${n}.png" width="10" height="8"></td></tr>`)}</table>`,
    list: { selector: ".trees tr:has(> td)", count: 6, fields: { name: "text", leaf_image: "image" } },
  },
  {
    name: "one article is no list",
    html: `<article><h1>Trees</h1><p>One text about trees.</p></article>`,
    list: null,
    pagination: null,
  },
  {
    name: "an empty page",
    html: "",
    list: null,
    pagination: null,
    forms: [],
  },
  {
    name: "a next link named in words",
    html: next('<div class="pages"><a href="/list?page=2">Next</a></div>'),
    list: PRODUCTS,
    pagination: { type: "next_button", field_name: "Next" },
  },
  {
    name: "a next link with rel",
    html: next('<a rel="next" href="/list?page=2"><img src="/n.gif" alt=""></a>'),
    list: PRODUCTS,
    pagination: { type: "next_button", selector: '[rel="next"]' },
  },
  {
    name: "a next link with an arrow, among numbers",
    html: next(
      '<div class="pager"><b>1</b> <a href="/list?page=2">2</a> <a href="/list?page=3">3</a> <a href="/list?page=2">›</a></div>',
    ),
    list: PRODUCTS,
    pagination: { type: "next_button", field_name: "›" },
  },
  {
    name: "a next link with a label for screen readers",
    html: next('<nav class="pagination"><a href="/list?page=2" aria-label="Next page"><svg></svg></a></nav>'),
    list: PRODUCTS,
    pagination: { type: "next_button", selector: '[aria-label="Next page"]' },
  },
  {
    name: "a next link in Japanese",
    html: next('<ul class="pager"><li><a href="/list?page=2">次へ</a></li></ul>'),
    list: PRODUCTS,
    pagination: { type: "next_button", field_name: "次へ" },
  },
  {
    name: "a next link in German, beside the previous one",
    url: `${URL_OF_LIST}?page=2`,
    html: next('<p class="nav"><a href="/list?page=1">‹ Zurück</a> <a href="/list?page=3">Weiter ›</a></p>'),
    list: PRODUCTS,
    pagination: { type: "next_button", field_name: "Weiter ›" },
  },
  {
    name: "older posts, whose arrow points back",
    html: next('<div class="nav-previous"><a href="/page/2">← Older posts</a></div>'),
    list: PRODUCTS,
    pagination: { type: "next_button", field_name: "← Older posts" },
  },
  {
    name: "the same next link above and below the list",
    html: `<p class="top"><a href="/list?page=2">Next</a></p>${next('<p class="bottom"><a href="/list?page=2">Next</a></p>')}`,
    list: PRODUCTS,
    pagination: { type: "next_button", field_name: "Next" },
  },
  {
    name: "numbers only",
    html: next(
      '<div class="pager"><b>1</b> <a href="/list?page=2">2</a> <a href="/list?page=3">3</a> <a href="/list?page=4">4</a></div>',
    ),
    list: PRODUCTS,
    pagination: { type: "url_template", url: "https://shop.example/list?page={page}", start: 1, step: 1 },
  },
  {
    name: "numbers that count rows",
    html: next(
      '<div class="pager"><b>1</b> <a href="/list?start=20">2</a> <a href="/list?start=40">3</a> <a href="/list?start=60">4</a></div>',
    ),
    list: PRODUCTS,
    pagination: { type: "url_template", url: "https://shop.example/list?start={page}", start: 0, step: 20 },
  },
  {
    name: "numbers with a gap, which tell how far apart their pages are",
    html: next(
      '<div class="pager"><b>1</b> <a href="/list?page=2">2</a> … <a href="/list?page=9">9</a></div>',
    ),
    list: PRODUCTS,
    pagination: { type: "url_template", url: "https://shop.example/list?page={page}", start: 1, step: 1 },
  },
  {
    name: "numbers with a gap, whose addresses count rows from 0",
    html: next(
      '<div class="pager"><b>1</b> <a href="/list?start=20">2</a> … <a href="/list?start=160">9</a></div>',
    ),
    list: PRODUCTS,
    pagination: { type: "url_template", url: "https://shop.example/list?start={page}", start: 0, step: 20 },
  },
  {
    name: "the next page is named only in the head of the document",
    html: `<link rel="next" href="/list?page=2">${next("")}`,
    list: PRODUCTS,
    pagination: { type: "url_template", url: "https://shop.example/list?page={page}", start: 1, step: 1 },
  },
  {
    name: "numbers whose pages a script opens, the current one with a class",
    html: next(
      '<ul class="pager"><li class="active"><a href="#">1</a></li><li><a href="#">2</a></li><li><a href="#">3</a></li></ul>',
    ),
    list: PRODUCTS,
    pagination: { type: "next_button", selector: ".pager > .active + li a" },
  },
  {
    name: "numbers whose pages a script opens, the current one without a link, in the last row of the table",
    html: `<table id="permits"><tr><th>No.</th><th>Holder</th></tr>${times(6, (n) => `<tr><td>P-${n}</td><td>${title(n)}</td></tr>`)}<tr><td colspan="2"><table><tr><td><span>1</span></td><td><a href="javascript:__doPostBack('g','Page$2')">2</a></td><td><a href="javascript:__doPostBack('g','Page$3')">3</a></td></tr></table></td></tr></table>`,
    list: {
      selector: "#permits > tbody > tr:has(> td:nth-of-type(2))",
      count: 6,
      fields: { no: "text", holder: "text" },
    },
    pagination: { type: "next_button", selector: "td tr:has(> td) > td:has(span) + td a" },
  },
  {
    name: "numbers whose pages a script opens, as buttons of which the current one is disabled",
    html: next('<div class="pager"><button disabled>1</button> <button>2</button> <button>3</button></div>'),
    list: PRODUCTS,
    pagination: { type: "next_button", selector: '.pager > [disabled=""] + button' },
  },
  {
    name: "numbers whose pages a script opens, the current one with a class of its own",
    html: next(
      '<div class="numbers"><a class="here" href="javascript:;">1</a> <a href="javascript:;">2</a> <a href="javascript:;">3</a></div>',
    ),
    list: PRODUCTS,
    pagination: { type: "next_button", selector: ".numbers > .here + a" },
  },
  {
    name: "a dropdown of the pages",
    html: next(
      '<label>Page <select id="pages"><option>1</option><option>2</option><option>3</option></select> of 3</label>',
    ),
    list: PRODUCTS,
    pagination: { type: "next_button", selector: "#pages" },
  },
  {
    name: "a dropdown of a number of travelers is no pager",
    html: next(
      '<label>Adults <select id="ADT"><option>1</option><option>2</option><option>3</option></select></label>',
    ),
    list: PRODUCTS,
    pagination: null,
  },
  {
    name: "a dropdown of the sizes of pages is no pager",
    html: next("<select><option>10</option><option>20</option><option>50</option></select>"),
    list: PRODUCTS,
    pagination: null,
  },
  {
    name: "a next link that runs a script, beside nothing but the previous one",
    html: next('<p><a href="#" onclick="go(0)">Previous</a> <a href="#" onclick="go(2)">Next</a></p>'),
    list: PRODUCTS,
    pagination: { type: "next_button", field_name: "Next" },
  },
  {
    name: "an element that a script makes the next control, below three rows",
    html: `<ul class="products">${times(3, card)}</ul><div><div style="cursor:pointer">Next</div></div>`,
    list: { ...PRODUCTS, count: 3 },
    pagination: { type: "next_button", field_name: "Next" },
  },
  {
    name: "a next control in Hindi",
    html: next('<p><a href="/list?page=2">अगला »</a></p>'),
    list: PRODUCTS,
    pagination: { type: "next_button", field_name: "अगला »" },
  },
  {
    name: "a next control in Bengali",
    html: next('<p><a href="/list?page=2">পরবর্তী</a></p>'),
    list: PRODUCTS,
    pagination: { type: "next_button", field_name: "পরবর্তী" },
  },
  {
    name: "a next control with a number of rows that may be less on the last page",
    html: next('<p><a href="/list?from=8">Next 8</a></p>'),
    list: PRODUCTS,
    pagination: { type: "next_button", field_name: "Next" },
  },
  {
    name: "elements in slots, which are not counted with those of the shadow root",
    html: `${times(4, (n) => `<tree-card><template shadowrootmode="open"><h3><slot name="t"></slot></h3><span class="price">€${n}</span></template><span slot="t">${title(n)}</span></tree-card>`)}`,
    list: { selector: "tree-card", count: 4, fields: { price: "price", title: "text" } },
  },
  {
    name: "the last page has a disabled control",
    url: `${URL_OF_LIST}?page=9`,
    html: next(
      '<ul class="pagination"><li><a href="/list?page=8">Prev</a></li><li class="disabled"><a href="#">Next</a></li></ul>',
    ),
    list: PRODUCTS,
    pagination: null,
  },
  {
    name: "the next article is not the next page",
    url: "https://shop.example/2024/alder",
    html: next(
      '<div class="post-navigation"><a href="/2024/birch" rel="next">Next post: all that you want to know about birches</a></div>',
    ),
    list: PRODUCTS,
    pagination: null,
  },
  {
    name: "a carousel is not a pager",
    html: `<div class="carousel"><button class="carousel-control-next">Next</button></div>${next("")}`,
    list: PRODUCTS,
    pagination: null,
  },
  {
    name: "a link to another site is not the next page",
    html: next('<a href="https://other.example/list?page=2">Next</a>'),
    list: PRODUCTS,
    pagination: null,
  },
  {
    name: "a button that loads more",
    html: next('<button type="button">Load more</button>'),
    list: PRODUCTS,
    pagination: { type: "load_more", field_name: "Load more" },
  },
  {
    name: "a read-more link in each row loads nothing",
    html: `<div class="feed">${times(5, (n) => `<div class="story"><h2>${title(n)}</h2><button>Show more</button></div>`)}</div>`,
    list: { selector: ".story", count: 5, fields: { title: "text" } },
    pagination: null,
  },
  {
    name: "a banner that can be refused",
    html: `${next("")}<div role="dialog" style="position:fixed;bottom:0">We use cookies. <button>Accept all</button> <button>Reject all</button></div>`,
    list: PRODUCTS,
    consent: { field_name: "Reject all" },
  },
  {
    name: "a banner that can only be accepted, in German",
    html: `${next("")}<div id="cookie-note" style="position:fixed;bottom:0">Diese Seite nutzt Cookies. <a href="#">Einverstanden</a></div>`,
    list: PRODUCTS,
    consent: { field_name: "Einverstanden" },
  },
  {
    name: "a fixed header is no banner",
    html: `<header style="position:fixed;top:0">Shop <button>OK</button></header>${next("")}`,
    list: PRODUCTS,
  },
  {
    name: "a search and a sign-in",
    html: `<form role="search"><input name="q" placeholder="Search trees"><button>Go</button></form><form><label>E-mail <input type="email"></label><label>Password <input type="password"></label><button>Sign in</button></form>${next("")}`,
    list: PRODUCTS,
    forms: [
      "search: Search trees (write_input text) → Go",
      "login: E-mail (write_input email), Password (write_input password) → Sign in",
    ],
  },
  {
    name: "a filter with a dropdown and a box to tick",
    html: `<form><label for="sort">Sort by</label><select id="sort"><option>Name</option><option>Price</option></select><label><input type="checkbox"> In stock</label></form>${next("")}`,
    list: PRODUCTS,
    forms: ["other: Sort by (select_dropdown select: Name, Price), In stock (click checkbox)"],
  },
  {
    name: "rows in an open shadow root",
    html: `<x-list></x-list><script>document.querySelector("x-list").attachShadow({mode: "open"}).innerHTML = \`${products}\`</script>`,
    list: PRODUCTS,
  },
  {
    name: "two lists, the larger one first",
    html: `<ul class="top-sellers">${times(3, (n) => `<li class="hit"><a href="/h/${n}">${title(n)} hit</a></li>`)}</ul>${next("")}`,
    list: PRODUCTS,
  },
  {
    name: "rows whose cells look alike, which are no list of their own",
    html: `<div role="grid">${times(8, (n) => `<div role="row"><div role="gridcell"><span>${title(n)}</span><small>tree ${title(n)}</small></div><div role="gridcell"><span>${n} m</span><small>height ${n}</small></div></div>`)}</div>`,
    list: {
      selector: '[role="row"]',
      count: 8,
      fields: { title: "text", number: "number", text: "text", text_2: "text" },
    },
  },
  {
    name: "cards in lines, which are alike, are the list",
    html: `<div class="grid">${times(4, (line) => `<div class="line">${times(3, (n) => `<div class="tile"><a href="/t/${line}${n}">${title(line * 3 + n - 3)}</a> <i>${n * line}0 EUR</i></div>`)}</div>`)}</div>`,
    list: { selector: ".tile", count: 12, fields: { title: "text", url: "url", price: "price" } },
  },
  {
    name: "facts in a list inside each row, as many in all rows",
    html: `<div class="people">${times(4, (n) => `<div class="person"><h3>${title(n)} Smith</h3><ul><li>Room ${n}</li><li>${title(n)}@example.org</li></ul></div>`)}</div>`,
    list: { selector: ".person", count: 4, fields: { title: "text", text: "text", email: "email" } },
  },
  {
    name: "facts in a list inside the items of a list, where a selector must not begin outside of the row",
    html: `<ul class="jobs">${times(4, (n) => `<li><a href="/j/${n}">${title(n)} job</a><ul><li><a href="/c/${n}">City ${n}</a></li><li><a href="/k/${n}">${title(n)} Ltd</a></li></ul></li>`)}</ul>`,
    list: {
      selector: ".jobs > li",
      count: 4,
      fields: { title: "text", url: "url", text: "text", link_url: "url", text_2: "text", link_url_2: "url" },
    },
  },
  {
    name: "people whose values are siblings of their names",
    html: `<div id="people">${times(5, (n) => `<h3>${title(n)} Smith</h3><p>Gardener</p>${n === 2 ? "" : `<p>Mail: <a href="mailto:${title(n)}@example.org">${title(n)}@example.org</a></p>`}`)}</div>`,
    list: { selector: "#people h3", count: 5, fields: { title: "text" } },
  },
  {
    name: "cards in the cells of a table",
    html: `<table class="goods">${times(3, (line) => `<tr>${times(3, (n) => `<td><a href="/p/${line}${n}"><img src="/i/${line}${n}.jpg" width="80" height="60"></a><br><a href="/p/${line}${n}">${title(line * 3 + n)}</a><br><span class="price">€${line}${n}.50</span></td>`)}</tr>`)}</table>`,
    list: {
      selector: ".goods td",
      count: 9,
      fields: { url: "url", image: "image", title: "text", price: "price" },
    },
  },
  {
    name: "a picture and a link in one cell of each row, which is the row of a table",
    html: `<table class="trees">${times(6, (n) => `<tr><td><img src="/i/${n}.jpg" width="80" height="60"> <a href="/t/${n}">${title(n)}</a></td><td>${n} m</td></tr>`)}</table>`,
    list: {
      selector: ".trees tr:has(> td)",
      count: 6,
      fields: { image: "image", text: "text", url: "url", number: "number" },
    },
  },
  {
    name: "a table whose head is repeated, with lines between groups and a table in a cell",
    html: `<table class="medals">${times(2, (group) => `<tr><td><b>Medal</b></td><td><b>Name</b></td><td><b>Event</b></td></tr><tr><td colspan="3">Sport ${group}</td></tr>${times(3, (n) => `<tr><td>${n}</td><td>${title(group * 3 + n)}</td><td><table><tr><td>${n}00 m</td><td>final</td></tr></table></td></tr>`)}`)}<tr><td colspan="2">Total</td><td>6</td></tr></table>`,
    list: {
      selector: ".medals tr:has(table)",
      count: 6,
      fields: { number: "number", text: "text", number_2: "number" },
    },
  },
  {
    name: "three rows of a table, with empty rows between them",
    html: `<table id="list">${times(3, (n) => `<tr><td></td></tr><tr><td class="n">${title(n)}</td><td class="v">${n} kg</td></tr>`)}</table><p><a href="/list?page=2">Next</a></p>`,
    list: {
      selector: "#list tr:has(> td:nth-of-type(2))",
      count: 3,
      fields: { text: "text", number: "number" },
    },
    pagination: { type: "next_button", field_name: "Next" },
  },
  {
    name: "values by position are left out where rows have more or fewer of them",
    html: `<div class="jobs">${times(6, (n) => `<div class="job"><h3>${title(n)} job</h3>${n % 2 ? `<div>€${n}6k</div>` : ""}<div>${n % 3 ? "Full-time" : "Part-time"}</div><div>${n > 3 ? "Hybrid" : "Remote"}</div></div>`)}</div>`,
    list: { selector: ".job", count: 6, fields: { title: "text" } },
  },
  {
    name: "values by position are columns where all rows have as many of them",
    html: `<div class="jobs">${times(6, (n) => `<div class="job"><h3>${title(n)} job</h3><div>€${n}6k</div><div>${n % 3 ? "Full-time" : "Part-time"}</div></div>`)}</div>`,
    list: { selector: ".job", count: 6, fields: { title: "text", price: "price", text: "text" } },
  },
  {
    name: "comments nested in the rows of a list",
    html: `<div class="posts">${times(4, (n) => `<div class="post"><h2>${title(n)}</h2><p>Text of ${title(n)}, long enough to be one</p><ul>${times(n + 1, (m) => `<li>Remark ${n} ${m}</li>`)}</ul></div>`)}</div>`,
    list: { selector: ".post", count: 4, fields: { title: "text", text: "text", text_2: "text" } },
  },
];
