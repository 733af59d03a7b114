import { type Pages, SITE, visit } from "../page.ts";

/* Elements of selectors that only Playwright can evaluate, on pages that change while they are found. */

/** A page that changes once, as soon as an attribute of it does. */
const onMark = (html: string, change: string) => `${html}<script>
  new MutationObserver((_, observer) => { observer.disconnect(); ${change} })
    .observe(document, { subtree: true, attributes: true });</script>`;
const row = (n: number) => `<p class=item>Item ${n}</p>`;

export default {
  "a row that comes": {
    html: onMark(
      `<main>${row(1)}${row(2)}</main>`,
      `document.querySelector("main").innerHTML += "${row(3)}";`,
    ),
    steps: [visit(), { type: "get_list", selector: ".item:visible", fields: [{ name: "name" }] }],
    rows: [1, 2, 3].map((n) => ({ name: `Item ${n}` })),
  },
  "an element of a detail page that is replaced": {
    html: `<p class=item>Lamp <a href="/lamp">more</a></p>`,
    routes: {
      "/lamp": onMark(
        "<h1>Lamp</h1><b>5 EUR</b>",
        'const price = document.querySelector("b"); price.replaceWith(Object.assign(document.createElement("b"), { textContent: "5 EUR" }));',
      ),
    },
    steps: [
      visit(),
      {
        type: "get_list",
        selector: ".item",
        fields: [{ name: "url", selector: "a", attribute: "href" }],
        details: {
          url_field: "url",
          fields: [
            { name: "title", selector: "h1" },
            { name: "price", selector: "b:visible" },
          ],
        },
      },
    ],
    rows: [{ url: `${SITE}/lamp`, title: "Lamp", price: "5 EUR" }],
  },
} satisfies Pages;
