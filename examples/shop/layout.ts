import { categories } from "./books.ts";
import { type Search, sorts } from "./catalogue.ts";
import { type Content, type Html, html } from "./html.ts";

export const SHOP_NAME = "Foxed & Bound";
/** With a no-break space; the number is one of those kept for fiction. */
export const PHONE = "01632\u00a0960144";
export const EMAIL = "hello@foxedandbound.example";

export interface Page {
  title: string;
  content: Content;
  /** Steps from the home page down to this one; the last is this page. Absent on the home page. */
  trail?: { label: string; href?: string }[];
  /** What the search box goes on from. */
  search?: Search;
}

/** The frame that every page of the shop has. */
export function layout({ title, content, trail, search }: Page): Html {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · ${SHOP_NAME}</title>
<link rel="stylesheet" href="/shop.css">
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
<script src="/shop.js" defer></script>
</head>
<body>
${header(search)}
<main class="container">
${trail ? breadcrumbs(trail) : ""}
${content}
</main>
${footer()}
${cookieNotice()}
</body>
</html>
`;
}

function header(search?: Search): Html {
  return html`<header class="site-header">
<div class="container header-row">
<a class="logo" href="/">${SHOP_NAME}<small>Second-hand books</small></a>
<form class="search" action="/books" role="search">
<label class="visually-hidden" for="search">Search books</label>
<input id="search" name="q" type="search" value="${search?.words ?? ""}" placeholder="Title, author or keyword" autocomplete="off">
${search?.category ? hidden("category", search.category.slug) : ""}
${search && search.sort !== sorts[0] ? hidden("sort", search.sort.value) : ""}
<button type="submit">Search</button>
</form>
</div>
<nav class="site-nav" aria-label="Main">
<ul class="container">
<li><a href="/books">All books</a></li>
${categories.map(
  (category) =>
    html`<li><a href="/books?category=${category.slug}"${search?.category === category ? html` aria-current="page"` : ""}>${category.name}</a></li>\n`,
)}<li><a href="/visit">Visit us</a></li>
</ul>
</nav>
</header>`;
}

export const hidden = (name: string, value: string) =>
  html`<input type="hidden" name="${name}" value="${value}">`;

function breadcrumbs(trail: NonNullable<Page["trail"]>): Html {
  return html`<nav class="breadcrumbs" aria-label="Breadcrumb">
<ol>
<li><a href="/">Home</a></li>
${trail.map(({ label, href }) =>
  href ? html`<li><a href="${href}">${label}</a></li>\n` : html`<li aria-current="page">${label}</li>\n`,
)}</ol>
</nav>`;
}

function footer(): Html {
  return html`<footer class="site-footer">
<div class="container footer-columns">
<section>
<h2>${SHOP_NAME}</h2>
<p>Second-hand books, bought fairly and sold with a good word since 1983.</p>
</section>
<section>
<h2>The shop</h2>
<p>14 Harbour Lane<br>Tuesday to Saturday, 10 to 5.30</p>
<p><a href="/visit">How to find us</a></p>
</section>
<section>
<h2>Get in touch</h2>
<p>${PHONE}<br><a href="mailto:${EMAIL}">${EMAIL}</a></p>
</section>
</div>
<p class="container small-print">An invented shop: nothing here is for sale.</p>
</footer>`;
}

/** Hidden until the script finds that the customer has not seen it: without a script nothing is stored. */
function cookieNotice(): Html {
  return html`<aside class="cookie-notice" aria-label="Cookies" hidden>
<p>Our only cookie remembers that you have seen this note.</p>
<button class="cookie-accept" type="button">Fine by me</button>
</aside>`;
}
