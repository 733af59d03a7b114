import type { IncomingHttpHeaders } from "node:http";
import { type Book, books, people } from "../data.ts";

/** Returns the HTML of a page for a request, like a server that renders pages. */
export type Render = (url: URL, headers: IncomingHttpHeaders) => string;

export const html = (title: string, head: string, body: string) => `<!doctype html>
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

export const script = (path: string) => `<script src="/npm/${path}"></script>`;
export const style = (path: string) => `<link rel="stylesheet" href="/npm/${path}">`;
export const jquery = script("jquery/dist/jquery.min.js");

export const tableOf = (attributes: string, heads: readonly string[], rows: readonly (string | number)[][]) =>
  `<table ${attributes}><thead><tr>${heads.map((head) => `<th>${head}</th>`).join("")}</tr></thead>
<tbody>
${rows.map((row) => `<tr>${row.map((cell) => `<td>${cell}</td>`).join("")}</tr>`).join("\n")}
</tbody></table>`;

export const staff = () =>
  people.map(({ name, position, office, age, start, salary }) => [
    name,
    position,
    office,
    age,
    start,
    salary,
  ]);
export const staffHeads = ["Name", "Position", "Office", "Age", "Start date", "Salary"];

export const card = ({ id, title, author, price }: Book) =>
  `<article class="card" id="book-${id}"><h3><a href="/book/${id}">${title}</a></h3><p class="author">${author}</p><p class="price">${price}</p></article>`;

/** Links to the pages of a list. `attributes` are added to each link. */
export const pager = (path: string, page: number, last: number, attributes = "") => {
  const link = (number: number, text: string, rel = "") =>
    `<a href="${path}?page=${number}" ${rel} ${attributes}>${text}</a>`;
  return `<nav class="pager">
${page > 1 ? link(page - 1, "Previous", 'rel="prev"') : ""}
${Array.from({ length: last }, (_, index) => (index + 1 === page ? `<b>${page}</b>` : link(index + 1, String(index + 1)))).join(" ")}
${page < last ? link(page + 1, "Next", 'rel="next"') : ""}
</nav>`;
};
export const pageOf = (url: URL) => Number(url.searchParams.get("page") ?? 1);
export const booksOn = (page: number, size: number) => books.slice((page - 1) * size, page * size);
