import { type Pages, SITE, visit } from "../page.ts";

/* Rows within rows: each becomes a row, with the fields of the row around it. */

const shirt = (name: string, sizes: [size: string, price: string][]) =>
  `<li class=row><b>${name}</b><ul>${sizes.map(([size, price]) => `<li><i>${size}</i> <u>${price}</u></li>`).join("")}</ul></li>`;
const shirts = [
  shirt("Linen", [
    ["S", "€5"],
    ["M", "€6"],
  ]),
  shirt("Silk", []),
  shirt("Wool", [["L", "€9"]]),
];
const sizes = {
  name: "sizes",
  list: {
    selector: "ul li",
    fields: [
      { name: "size", selector: "i" },
      { name: "price", selector: "u" },
    ],
  },
};
const rows = [
  { name: "Linen", size: "S", price: "€5" },
  { name: "Linen", size: "M", price: "€6" },
  { name: "Silk" },
  { name: "Wool", size: "L", price: "€9" },
];
const list = {
  type: "get_list",
  selector: ".row",
  fields: [{ name: "name", selector: "b" }, sizes],
} as const;

const category = (number: number) =>
  `<h1>Category ${number}</h1>${[1, 2].map((n) => `<p class=card><b>Lamp ${number}.${n}</b> <u>€${number}${n}</u></p>`).join("")}`;
const categories = `<ul>${[1, 2, 3].map((n) => `<li><a href=/c/${n}>Category ${n}</a></li>`).join("")}</ul>`;
const toCategories = {
  html: categories,
  routes: Object.fromEntries([1, 2, 3].map((n) => [`/c/${n}`, category(n)])),
};
const links = [
  { name: "category", selector: "a" },
  { name: "url", selector: "a", attribute: "href" },
];

export default {
  "in a row": {
    html: `<ul>${shirts.join("")}</ul>`,
    steps: [visit(), { ...list, fields: [...list.fields] }],
    rows,
    variants: {
      all: {},
      "up to the limit, which counts them": { rows_limit: 2, rows: rows.slice(0, 2) },
      "of several pages": {
        html: `<ul>${shirts[0]}</ul><a href=/2>Next</a>`,
        routes: { "/2": `<ul>${shirts.slice(1).join("")}</ul>` },
        pagination: { type: "next_button", field_name: "Next" },
      },
      "with a field that no row has": {
        steps: [
          visit(),
          {
            ...list,
            fields: [
              {
                name: "sizes",
                list: {
                  selector: "li",
                  fields: [
                    { name: "size", selector: "i" },
                    { name: "none", selector: "q" },
                  ],
                },
              },
            ],
          },
        ],
        rows: [{ size: "S" }, { size: "M" }, {}, { size: "L" }],
        warnings: [{ code: "field_empty", field: "none" }, "rows_empty"],
      },
      "by a selector of Playwright": {
        steps: [
          visit(),
          {
            ...list,
            fields: [{ name: "sizes", list: { selector: "li:visible", fields: [{ name: "size" }] } }],
          },
        ],
        rows: [],
        failure: { code: "invalid_step", step: 1, message: "li:visible is not CSS or XPath" },
      },
    },
  },
  "on the page of each row, of which only the first row is read": {
    ...toCategories,
    steps: [
      visit(),
      {
        type: "get_list",
        selector: "li",
        fields: links,
        details: {
          url_field: "url",
          fields: [
            { name: "title", selector: ".card b" },
            { name: "price", selector: ".card u" },
            { name: "first", selector: ".card b", all: false },
          ],
        },
      },
    ],
    rows: [1, 2, 3].map((n) => ({
      category: `Category ${n}`,
      url: `${SITE}/c/${n}`,
      title: `Lamp ${n}.1`,
      price: `€${n}1`,
      first: `Lamp ${n}.1`,
    })),
    warnings: ["title", "price"].map((field) => ({
      code: "field_ambiguous",
      field,
      count: 3,
      message: '"list"',
    })),
  },
  "on the page of each row, whose address is an attribute of a script": {
    html: '<p class=row data-href="item/1.html">One</p>',
    routes: { "/item/1.html": "<p class=stock>5 left</p>" },
    steps: [
      visit(),
      {
        type: "get_list",
        selector: ".row",
        fields: [{ name: "url", attribute: "data-href" }],
        details: { url_field: "url", fields: [{ name: "stock", selector: ".stock" }] },
      },
    ],
    rows: [{ url: "item/1.html", stock: "5 left" }],
  },
  "on the page of each row": {
    ...toCategories,
    steps: [
      visit(),
      {
        type: "get_list",
        selector: "li",
        fields: links,
        details: {
          url_field: "url",
          fields: [
            { name: "heading", selector: "h1" },
            {
              name: "products",
              list: {
                selector: ".card",
                fields: [
                  { name: "title", selector: "b" },
                  { name: "price", selector: "u" },
                ],
              },
            },
          ],
        },
      },
    ],
    engines: ["browser", "http"],
    rows: [1, 2, 3].flatMap((n) =>
      [1, 2].map((m) => ({
        category: `Category ${n}`,
        url: `${SITE}/c/${n}`,
        heading: `Category ${n}`,
        title: `Lamp ${n}.${m}`,
        price: `€${n}${m}`,
      })),
    ),
  },
} satisfies Pages;
