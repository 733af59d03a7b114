import { bookCard } from "./book-parts.ts";
import { books, categories } from "./books.ts";
import { type Html, html } from "./html.ts";
import { EMAIL, layout, PHONE } from "./layout.ts";

export function homePage(): Html {
  const newest = books.toReversed();
  return layout({
    title: "Second-hand books",
    content: html`<section class="hero">
<div>
<h1>Books with a past, looking for a future</h1>
<p>${books.length} hand-picked second-hand books, each one opened, sniffed and honestly described.</p>
<p><a class="button" href="/books">Browse the shelves</a></p>
</div>
<div class="hero-covers" aria-hidden="true">${newest.slice(2, 5).map((book) => html`<img src="/covers/${book.number}.svg" alt="" width="300" height="440">`)}</div>
</section>
<section>
<h2>By shelf</h2>
<ul class="category-tiles">
${categories.map((category) => html`<li><a href="/books?category=${category.slug}"><strong>${category.name}</strong><span>${category.count} books</span></a></li>\n`)}</ul>
</section>
<section>
<h2>Just in</h2>
<ul class="book-grid">
${newest.slice(0, 4).map(bookCard)}</ul>
</section>
<section>
<h2>On sale</h2>
<ul class="book-grid">
${newest
  .filter((book) => book.oldPrice !== undefined)
  .slice(0, 4)
  .map(bookCard)}</ul>
</section>`,
  });
}

export function visitPage(): Html {
  return layout({
    title: "Visit us",
    trail: [{ label: "Visit us" }],
    content: html`<article class="prose">
<h1>Visit us</h1>
<p>We are at 14 Harbour Lane, between the chandler and the bakery, Tuesday to Saturday from 10 to 5.30. There is a chair by the window and nobody will hurry you.</p>
<h2>Ask in store</h2>
<p>Our rarest books have no price online. Come and hold them first, call ${PHONE} or write to <a href="mailto:${EMAIL}">${EMAIL}</a>, and we will talk.</p>
<h2>Selling books</h2>
<p>We buy on Wednesdays: a box or a library, cash or credit. We do not buy encyclopaedias, however shiny.</p>
</article>`,
  });
}

export function notFoundPage(): Html {
  return layout({
    title: "Page not found",
    content: html`<div class="empty">
<h1>This page is missing</h1>
<p>It happens to old books as well. The book may be sold, or the address mistyped.</p>
<p><a class="button" href="/books">Back to the shelves</a></p>
</div>`,
  });
}
