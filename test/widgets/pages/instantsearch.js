import instantsearch from "instantsearch.js";
import { hits, pagination, searchBox } from "instantsearch.js/es/widgets";

document.getElementById("root").innerHTML =
  '<div id="searchbox"></div><div id="hits"></div><div id="pagination"></div>';

/** A custom backend, as the documentation describes it. */
const searchClient = {
  search: (requests) =>
    Promise.all(
      requests.map(async ({ params: { query = "", page = 0 } }) => {
        const response = await fetch(
          `/data/books?${new URLSearchParams({ q: query, offset: page * 20, limit: 20 })}`,
        );
        const { rows, total } = await response.json();
        return {
          hits: rows.map((book) => ({ ...book, objectID: String(book.id) })),
          nbHits: total,
          nbPages: Math.ceil(total / 20),
          page,
          hitsPerPage: 20,
          processingTimeMS: 1,
          query,
          params: "",
          exhaustiveNbHits: true,
        };
      }),
    ).then((results) => ({ results })),
};

const search = instantsearch({ indexName: "books", searchClient });
search.addWidgets([
  searchBox({ container: "#searchbox", placeholder: "Search for books" }),
  hits({
    container: "#hits",
    templates: { item: (hit, { html }) => html`<div><b>${hit.title}</b> <i>${hit.author}</i></div>` },
  }),
  pagination({ container: "#pagination" }),
]);
search.start();
