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
  "without th, and with headers in two rows below a title": {
    html: `<table><tr><td><b>Medal</b><td><b>Name</b></tr><tr><td>Gold<td>Ann</table>
      <table><tr><td colspan=3>Table 1: Lamps</tr><tr><th rowspan=2>Name<th colspan=2>Price</tr><tr><th>net<th>gross<br>in € ▲</tr><tr><td>Lamp<td>1<td>2</table>`,
    steps: [
      visit(),
      { type: "get_list", selector: "table:first-of-type tr", fields: [{ name: "name", column: "Name" }] },
      {
        type: "get_list",
        selector: "table:last-of-type tr",
        fields: [
          { name: "name", column: "Name" },
          { name: "first", column: "Price" },
          { name: "gross", column: "Gross in €" },
        ],
      },
    ],
    rows: [{ name: "Ann" }, { name: "Lamp", first: "1", gross: "2" }],
  },
  "whose rows of data have header cells only": {
    rows: [
      { name: "Ann", age: "7" },
      { name: "Ben", age: "8" },
      { name: "Cho", age: "9" },
    ],
    steps: [
      visit(),
      {
        type: "get_list",
        selector: "tr",
        fields: [
          { name: "name", column: "Name" },
          { name: "age", column: "Age" },
        ],
      },
    ],
    variants: {
      "below a head": {
        html: "<table><thead><tr><th>Name<th>Age</thead><tbody><tr><th>Ann<th>7<tr><th>Ben<th>8<tr><th>Cho<th>9</table>",
      },
      "between headings, and a foot": {
        html: `<table><tr><th>Name<th>Age<tr><th colspan=2>North<tr><td>Ann<td>7<tr><th>Ben<th>8<tr><th colspan=2>South
          <tr><td>Cho<td>9<tr><th scope=col>Who<th scope=col>Years<tfoot><tr><th>All<th>24</table>`,
      },
    },
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
  "with cells that are not displayed and have no header": {
    html: `<style>.off { display: none }</style>
      <table><thead><tr><th>Name<th>Price</thead><tbody><tr><td style="display: none">17<td>Lamp<td>5<tr><td hidden>18<td>Shade<td>6</tbody></table>
      <table><thead><tr><th>Name<th>Price<th class=off>Code</thead><tbody><tr><td>Lamp<td class=off>a1<td>5
        <tr><td rowspan=2>Shade<td class=off>a2<td>6<tr><td class=off>Shade<td class=off>a3<td>7</tbody></table>
      <table><thead><tr><th class=off>Name<th class=off>Price</thead><tbody><tr><td class=off>Lamp<td>5</tbody></table>`,
    steps: [
      visit(),
      {
        type: "get_list",
        selector: "table:first-of-type tbody tr",
        fields: [
          { name: "name", column: "Name" },
          { name: "price", column: "Price" },
        ],
      },
      {
        type: "get_list",
        selector: "table:nth-of-type(2) tbody tr",
        fields: [
          { name: "name", column: "Name" },
          { name: "price", column: "Price" },
          { name: "code", column: "Code" },
        ],
      },
      {
        type: "get_list",
        selector: "table:last-of-type tbody tr",
        fields: [{ name: "price", column: "Price" }],
      },
    ],
    rows: [
      { name: "Lamp", price: "5" },
      { name: "Shade", price: "6" },
      { name: "Lamp", price: "5", code: "a1" },
      { name: "Shade", price: "6", code: "a2" },
      { name: "Shade", price: "7" },
      { price: "5" },
    ],
  },
  "whose rows omit cells and say which columns the others are in": {
    html: `<div role=table><div role=row><b role=columnheader aria-colindex=1>Name</b><b role=columnheader aria-colindex=3>Price</b>
        <b role=columnheader aria-colindex=2>City</b></div>
      <div role=row><i role=cell aria-colindex=1>Ann</i><i role=cell aria-colindex=3>9</i></div>
      <div role=row><i role=cell aria-colindex=2>Oslo</i><i role=cell aria-colindex=3>8</i></div></div>`,
    steps: [
      visit(),
      {
        type: "get_list",
        selector: "[role=row]",
        fields: [
          { name: "name", column: "Name" },
          { name: "city", column: "City" },
          { name: "price", column: "Price" },
        ],
      },
    ],
    rows: [
      { name: "Ann", price: "9" },
      { city: "Oslo", price: "8" },
    ],
  },
  "with names that several columns have": {
    html: `<table><tr><th rowspan=2>Name<th colspan=2>2023<th colspan=2>2024<tr><th>Min<th>Max<th>Min<th>Max
        <tr><td>Oslo<td>1<td>20<td>1<td>21<tr><td>Rome<td>5<td>30<td>5<td>30</table>
      <table><tr><th>Unit price<th>Price total<th>Qty<th>Qty <select><option>Price</select><tr><td>2<td>4<td>2<td>3</table>`,
    steps: [
      visit(),
      {
        type: "get_list",
        selector: "table:first-of-type tr",
        fields: [
          { name: "name", column: "Name" },
          { name: "min", column: "Min" },
          { name: "max", column: "Max" },
          { name: "max24", column: "2024 max" },
        ],
      },
      {
        type: "get_list",
        selector: "table:last-of-type tr",
        fields: [
          { name: "price", column: "Price" },
          { name: "unit", column: "Price", all: false },
          { name: "total", column: "Price total" },
          { name: "quantity", column: "Qty" },
        ],
      },
    ],
    rows: [
      { name: "Oslo", min: "1", max: "20", max24: "21" },
      { name: "Rome", min: "5", max: "30", max24: "30" },
      { price: "2", unit: "2", total: "4", quantity: "2" },
    ],
    warnings: [
      { code: "field_ambiguous", field: "max", count: 1, message: '"2023 Max", "2024 Max". The first' },
      { code: "field_ambiguous", field: "price", count: 1, message: 'such as "Price total"' },
      { code: "field_ambiguous", field: "quantity", count: 1, message: "td:nth-child(4)" },
    ],
  },
} satisfies Pages;
