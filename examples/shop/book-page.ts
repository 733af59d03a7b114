import { bookCard, priceLine, ratingLine, stockLabel } from "./book-parts.ts";
import { type Book, books, categories } from "./books.ts";
import { type Content, type Html, html } from "./html.ts";
import { EMAIL, layout, PHONE, SHOP_NAME } from "./layout.ts";

export function bookPage(book: Book): Html {
  const category = categories.find((one) => one.name === book.category);
  return layout({
    title: `${book.title} by ${book.author}`,
    trail: [
      { label: "Books", href: "/books" },
      { label: book.category, href: `/books?category=${category?.slug}` },
      { label: book.title },
    ],
    content: html`<article class="book" itemscope itemtype="https://schema.org/Book">
<div class="book-cover"><img itemprop="image" src="/covers/${book.number}.svg" alt="Cover of ${book.title}" width="300" height="440"></div>
<div class="book-info">
<h1 itemprop="name">${book.title}</h1>
<p class="byline">by <span itemprop="author">${book.author}</span></p>
${ratingLine(book)}
${priceLine(book)}
${stockLabel(book)}
<p class="description" itemprop="description">${book.description}</p>
${howToBuy(book)}
${detailsTable(book)}
</div>
</article>
${alsoOnTheShelf(book)}`,
  });
}

function howToBuy(book: Book): Html {
  const subject = encodeURIComponent(`${SHOP_NAME}: book no. ${book.number}`);
  return html`<p class="how-to-buy"><a class="button" href="mailto:${EMAIL}?subject=${subject}">${book.price === undefined ? "Ask about this book" : "Reserve this book"}</a> <span>or call ${PHONE}</span></p>`;
}

function detailsTable(book: Book): Html {
  return html`<h2>About this copy</h2>
<table class="details">
<tbody>
${row("Published", "datePublished", book.year)}
${row("Binding", "bookFormat", book.binding)}
${row("Condition", "itemCondition", book.condition)}
${row("Pages", "numberOfPages", book.pages)}
${row("Language", "inLanguage", book.language)}
${row("Stock number", "sku", book.number)}
</tbody>
</table>`;
}

const row = (label: string, property: string, value: Content) =>
  html`<tr><th scope="row">${label}</th><td itemprop="${property}">${value}</td></tr>`;

function alsoOnTheShelf(book: Book): Html {
  const shelf = books.filter((other) => other.category === book.category);
  const place = shelf.indexOf(book);
  const neighbours = [1, 2, 3, 4].flatMap((step) => shelf[(place + step) % shelf.length] ?? []);
  return html`<section class="shelf">
<h2>Also on the shelf</h2>
<ul class="book-grid">
${neighbours.map(bookCard)}</ul>
</section>`;
}
