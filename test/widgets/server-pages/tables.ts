import { books, orders } from "../data.ts";
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
  jqgrid: () =>
    html(
      "jqGrid",
      style("free-jqgrid/css/ui.jqgrid.min.css") + jquery + script("free-jqgrid/dist/jquery.jqgrid.min.js"),
      `<table id="grid"></table>
<script>
$("#grid").jqGrid({ datatype: "local", data: ${JSON.stringify(books)}, rowNum: 20, pager: true, guiStyle: "bootstrap",
  colModel: [{ name: "title" }, { name: "author" }, { name: "price" }] });
</script>`,
    ),
  tablesorter: () =>
    html(
      "tablesorter with a pager",
      style("tablesorter/dist/css/theme.default.min.css") +
        jquery +
        script("tablesorter/dist/js/jquery.tablesorter.min.js") +
        script("tablesorter/dist/js/extras/jquery.tablesorter.pager.min.js"),
      `${tableOf('class="tablesorter"', staffHeads, staff())}
<div class="pager"><button class="first">First</button><button class="prev">Prev</button><span class="pagedisplay"></span><button class="next">Next</button><select class="pagesize"><option>10</option></select></div>
<script>$("table").tablesorter().tablesorterPager({ container: $(".pager"), size: 10 });</script>`,
    ),
  w2ui: () =>
    html(
      "w2ui grid",
      style("w2ui/w2ui-2.0.min.css") + jquery + script("w2ui/w2ui-2.0.min.js"),
      `<div id="grid" style="width:700px;height:400px"></div>
<script>
new w2grid({ name: "grid", box: "#grid",
  columns: [{ field: "number", text: "Number", size: "30%" }, { field: "customer", text: "Customer", size: "30%" }],
  records: ${JSON.stringify(orders.map(({ id, number, customer }) => ({ recid: id, number, customer })))} });
</script>`,
    ),
  knockout: () =>
    html(
      "Knockout",
      script("knockout/build/output/knockout-latest.js"),
      `<ul data-bind="foreach: shown"><li class="book"><b data-bind="text: title"></b></li></ul>
<button data-bind="click: next, enable: page() < 8, text: 'Next'"></button>
<script>
const books = ${JSON.stringify(books)};
const page = ko.observable(1);
ko.applyBindings({ page, shown: ko.pureComputed(() => books.slice((page() - 1) * 12, page() * 12)), next: () => page(page() + 1) });
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
