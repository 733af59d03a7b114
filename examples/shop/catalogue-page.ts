import { bookCard } from "./book-parts.ts";
import { categories } from "./books.ts";
import { addressOf, type Listing, PAGE_SIZE, sorts } from "./catalogue.ts";
import { type Content, type Html, html } from "./html.ts";
import { hidden, layout } from "./layout.ts";

export function cataloguePage(listing: Listing): Html {
  const heading = listing.category?.name ?? "All books";
  return layout({
    title: listing.page > 1 ? `${heading}, page ${listing.page}` : heading,
    trail: listing.category ? [{ label: "Books", href: "/books" }, { label: heading }] : [{ label: "Books" }],
    search: listing,
    content: html`<div class="listing-head">
<div>
<h1>${heading}</h1>
<p class="result-count">${resultCount(listing)}</p>
</div>
${filters(listing)}
</div>
${listing.total > 0 ? html`<ul class="book-grid">\n${listing.books.map(bookCard)}</ul>` : nothingFound()}
${listing.pages > 1 ? pagination(listing) : ""}`,
  });
}

function resultCount(listing: Listing): Content {
  const { words, page, total, books } = listing;
  const first = (page - 1) * PAGE_SIZE + 1;
  const range =
    total > books.length ? `${first}–${first + books.length - 1} of ${total} books` : count(total);
  if (!words) return range;
  const { category, sort } = listing;
  const rest = addressOf({ words: "", sort, ...(category && { category }) });
  return html`${range} for “${words}” · <a href="${rest}">Clear search</a>`;
}

const count = (total: number) => (total === 1 ? "1 book" : `${total} books`);

/** Works by its button; the script submits on change and hides the button. */
function filters({ words, category, sort }: Listing): Html {
  return html`<form class="filters" action="/books">
${words ? hidden("q", words) : ""}
<p><label for="category">Category</label>
<select id="category" name="category">
<option value="">All categories</option>
${categories.map((one) => option(one.slug, one.name, one === category))}</select></p>
<p><label for="sort">Sort by</label>
<select id="sort" name="sort">
${sorts.map((one) => option(one.value, one.label, one === sort))}</select></p>
<button type="submit">Apply</button>
</form>`;
}

const option = (value: string, label: string, selected: boolean) =>
  html`<option value="${value}"${selected ? html` selected` : ""}>${label}</option>\n`;

function nothingFound(): Html {
  return html`<div class="empty">
<p>Nothing on the shelves matches that.</p>
<p>Try fewer words or <a href="/books">look through all books</a>. New boxes are unpacked every Tuesday.</p>
</div>`;
}

function pagination(listing: Listing): Html {
  const { page, pages } = listing;
  const numbers = Array.from({ length: pages }, (_, index) => index + 1);
  return html`<nav class="pagination" aria-label="Pages">
${turn("Previous", "prev", page > 1 ? addressOf(listing, page - 1) : undefined)}
<ol>
${numbers.map((number) =>
  number === page
    ? html`<li><span aria-current="page">${number}</span></li>\n`
    : html`<li><a href="${addressOf(listing, number)}" aria-label="Page ${number}">${number}</a></li>\n`,
)}</ol>
${turn("Next", "next", page < pages ? addressOf(listing, page + 1) : undefined)}
</nav>`;
}

const turn = (label: string, rel: "prev" | "next", href: string | undefined) =>
  href
    ? html`<a class="${rel}" rel="${rel}" href="${href}">${label}</a>`
    : html`<span class="${rel}" aria-disabled="true">${label}</span>`;
