import { type Pages, visit } from "../page.ts";

/* Cells of tables by the names of their columns. */

const head = "<tr><th>Line<th>City<th>Departs<th>Platform</tr>";
const trains = `<table><thead>${head}</thead><tbody>
  <tr><th scope=row rowspan=2>North<td>Ashford<td>08:10<td><a>3</a>
  <tr><td>Barton<td>08:40<td>4
  ${head}
  <tr><th scope=row>South<td>Corby<td colspan=2>cancelled
  <tr><th scope=row rowspan=0>West<td>Dover<td rowspan=2>09:30<td>1
  <tr><td>Epsom<td>2</tbody></table>`;

export default {
  "with spans and repeated headers": {
    html: trains,
    steps: [
      visit(),
      {
        type: "get_list",
        selector: "tr",
        fields: [
          { name: "line", column: "Line" },
          { name: "city", column: "CITY" },
          { name: "departs", column: "Departs" },
          { name: "platform", column: "Platform" },
          { name: "link", column: "Platform", selector: "a" },
        ],
      },
    ],
    rows: [
      { line: "North", city: "Ashford", departs: "08:10", platform: "3", link: "3" },
      { line: "North", city: "Barton", departs: "08:40", platform: "4" },
      { line: "South", city: "Corby", departs: "cancelled", platform: "cancelled" },
      { line: "West", city: "Dover", departs: "09:30", platform: "1" },
      { line: "West", city: "Epsom", departs: "09:30", platform: "2" },
    ],
  },
  "with spans, by positions": {
    html: `<table>${head}<tr><td rowspan=2>North<td>Ashford<td>08:10<td>3<tr><td>Barton<td>08:40<td>4<tr><td>South<td>Corby<td colspan=2>cancelled</table>`,
    steps: [
      visit(),
      {
        type: "get_list",
        selector: "tr:has(td)",
        fields: [
          { name: "line", selector: "td:nth-child(1)" },
          { name: "departs", selector: "td:nth-child(3)" },
        ],
      },
      {
        type: "get_list",
        selector: "tr:last-child",
        fields: [{ name: "line", selector: "td:nth-child(1)" }],
      },
    ],
    rows: [
      { line: "North", departs: "08:10" },
      { line: "Barton", departs: "4" },
      { line: "South", departs: "cancelled" },
      { line: "South" },
    ],
    warnings: [{ code: "columns_shifted", step: 1, count: 1 }],
  },
  "without th, and with headers in two rows": {
    html: `<table><tr><td><b>Medal</b><td><b>Name</b></tr><tr><td>Gold<td>Ann</table>
      <table><tr><th rowspan=2>Name<th colspan=2>Price</tr><tr><th>net<th>gross ▲</tr><tr><td>Lamp<td>1<td>2</table>`,
    steps: [
      visit(),
      { type: "get_list", selector: "table:first-of-type tr", fields: [{ name: "name", column: "Name" }] },
      {
        type: "get_list",
        selector: "table:last-of-type tr",
        fields: [
          { name: "name", column: "Name" },
          { name: "first", column: "Price" },
          { name: "gross", column: "Gross" },
        ],
      },
    ],
    rows: [{ name: "Ann" }, { name: "Lamp", first: "1", gross: "2" }],
  },
  "of other elements, by their roles": {
    html: `<div role=table><div role=row><b role=columnheader>Name</b><b role=columnheader>Price</b></div>
      <div role=row><i role=cell>Lamp</i><i role=cell>5</i></div></div>`,
    steps: [
      visit(),
      {
        type: "get_list",
        selector: "[role=row]",
        fields: [
          { name: "price", column: "Price" },
          { name: "none", column: "Colour" },
        ],
      },
    ],
    rows: [{ price: "5" }],
    warnings: [{ code: "field_empty", field: "none", message: 'the column "Colour"' }],
  },
} satisfies Pages;
