import { html, LitElement } from "lit";

/** A book, as a custom element with a shadow root. */
class BookCard extends LitElement {
  static properties = { book: { attribute: false } };

  render() {
    return html`<h3>${this.book.title}</h3><p class="author">${this.book.author}</p>`;
  }
}
customElements.define("book-card", BookCard);

class BookList extends LitElement {
  static properties = { page: { state: true }, books: { state: true } };

  constructor() {
    super();
    this.page = 1;
    this.books = [];
  }

  async firstUpdated() {
    await this.load(1);
  }

  async load(page) {
    this.page = page;
    const response = await fetch(`/data/books?limit=15&offset=${(page - 1) * 15}`);
    this.books = (await response.json()).rows;
  }

  render() {
    return html`
      <section>${this.books.map((book) => html`<book-card .book=${book}></book-card>`)}</section>
      <button ?disabled=${this.page === 1} @click=${() => this.load(this.page - 1)}>Back</button>
      <button ?disabled=${this.page === 7} @click=${() => this.load(this.page + 1)}>Next</button>`;
  }
}
customElements.define("book-list", BookList);
document.getElementById("root").innerHTML = "<book-list></book-list>";
