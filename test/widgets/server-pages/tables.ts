import { books } from "../data.ts";
import { html, jquery, type Render, script, staff, staffHeads, style, tableOf } from "./html.ts";

/** Pages with a table or list in their HTML, which a library makes interactive. */
export const tablePages: Record<string, Render> = {
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
};
