import type { Book } from "./books.ts";
import { type Html, html } from "./html.ts";

/** A book in a grid of books. */
export function bookCard(book: Book): Html {
  return html`<li class="book-card">
<a class="cover" href="${book.path}" tabindex="-1" aria-hidden="true"><img src="/covers/${book.number}.svg" alt="" width="300" height="440" loading="lazy"></a>
${book.oldPrice === undefined ? "" : html`<span class="badge">Sale</span>`}
<h3 class="book-title"><a class="book-link" href="${book.path}">${book.title}</a></h3>
<p class="book-author">${book.author}</p>
${ratingLine(book)}
${priceLine(book)}
${stockLabel(book)}
</li>
`;
}

export function priceLine(book: Book): Html {
  if (book.price === undefined)
    return html`<p class="price-line"><span class="price-ask">Ask in store</span></p>`;
  const old =
    book.oldPrice === undefined
      ? ""
      : html`<span class="visually-hidden">Was </span><s class="price-old">${pounds(book.oldPrice)}</s> <span class="visually-hidden">now </span>`;
  return html`<p class="price-line">${old}<span class="price">${pounds(book.price)}</span></p>`;
}

export function ratingLine({ rating }: Book): Html {
  if (!rating) return html`<p class="rating rating-none">No ratings yet</p>`;
  const stars = Math.round(rating.average);
  return html`<p class="rating"><span class="stars" aria-hidden="true">${"★".repeat(stars)}${"☆".repeat(5 - stars)}</span> <span class="rating-value">${rating.average.toFixed(1)}</span> <span class="rating-count">(${rating.voters})</span></p>`;
}

export function stockLabel({ stock }: Book): Html {
  return html`<p class="stock stock-${stock.toLowerCase().replaceAll(" ", "-")}">${stock}</p>`;
}

const pounds = (amount: number) => `£${amount.toFixed(2)}`;
