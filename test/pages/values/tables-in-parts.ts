import { type Pages, visit } from "../page.ts";

/* Tables whose header, rows and cells are in several parts of the document. */

const rows = [1, 2, 3, 4, 5].map((n) => ({ title: `Lamp ${n}`, price: `${n} €` }));

const columns = (selector: string) => [
  visit(),
  {
    type: "get_list" as const,
    selector,
    fields: [
      { name: "title", column: "Title" },
      { name: "price", column: "Price" },
    ],
  },
];

const rowsOf = (row: (title: string, price: string) => string) =>
  rows.map(({ title, price }) => row(title, price)).join("");

/** The element with the role of a table is in a shadow root, and the rows are slotted into it. */
const slottedRows = `<my-table><my-row role=row slot=head><my-cell role=columnheader>Title</my-cell><my-cell role=columnheader>Price</my-cell></my-row>
  ${rowsOf((title, price) => `<my-row role=row class=item><my-cell role=gridcell>${title}</my-cell><my-cell role=gridcell>${price}</my-cell></my-row>`)}</my-table>
  <script>document.querySelector("my-table").attachShadow({ mode: "open" }).innerHTML = "<div role=grid><slot name=head></slot><div><slot></slot></div></div>"</script>`;

/** The table is in a shadow root, and the contents of its cells are slotted into them. */
const slottedCells = `<my-grid></my-grid><script>
  const grid = document.querySelector("my-grid");
  let n = 0;
  const cell = (text) => {
    grid.insertAdjacentHTML("beforeend", "<p slot=c" + ++n + ">" + text + "</p>");
    return "<slot name=c" + n + "></slot>";
  };
  const row = (cells, name) => "<tr role=row>" + cells.map((text) => "<" + name + "><style></style>" + cell(text) + "<!--part-->").join("");
  grid.attachShadow({ mode: "open" }).innerHTML = "<table role=grid aria-rowcount=6><thead>" + row(["Title", "Price"], "th") + "<tbody>" +
    ${JSON.stringify(rows)}.map(({ title, price }) => row([title, price], "td")).join("")
</script>`;

/** The header and the rows are tables, with a table in a cell. */
const twoTables = (grid: string, table: string, head = "th") =>
  `<table><tr><th>Our lamps</table><div ${grid}><div><table ${table}><tr><${head}>Title<${head}>Price</table></div>
  <div><table ${table}>${rowsOf((title, price) => `<tr class=item><td><table><tr><td>${title}</table><td>${price}`)}</table></div></div>`;

export default {
  "of components with shadow roots": {
    rows,
    variants: {
      "rows that are slotted": { html: slottedRows, steps: columns("my-row") },
      "cells that are slotted": { html: slottedCells, steps: columns("my-grid tr") },
      "rows that are slotted, by positions": {
        html: slottedRows,
        steps: [
          visit(),
          {
            type: "get_list",
            selector: ".item",
            fields: [
              { name: "title", selector: "my-cell:nth-of-type(1)" },
              { name: "price", selector: "my-cell:nth-of-type(2)" },
            ],
          },
        ],
      },
    },
  },
  "with a table for the header": {
    steps: columns(".item"),
    rows,
    variants: {
      "in a grid": {
        html: twoTables("role=grid", "role=presentation", "td role=columnheader"),
      },
      "without roles": { html: twoTables("", "") },
      "of a heading alone": {
        html: `<table><tr><th>Our lamps</table><table><tr><td>Title<td>Price${rowsOf((title, price) => `<tr class=item><td>${title}<td>${price}`)}</table>`,
      },
    },
  },
} satisfies Pages;
