import { type Page, type Pages, SITE, visit } from "../page.ts";

/** Lists whose rows differ only in attributes. From one page to the next, a single attribute of each row changes. */

const attributes = ["title", "data-name", "aria-label", "style", "src"];
const PAGES = attributes.length + 1;

/** The value of an attribute in a row of a page. */
const textOf = (attribute: string, page: number, row: number): string => {
  const number = page > attributes.indexOf(attribute) + 1 ? row + 3 : row;
  return attribute === "src" ? `${SITE}/lamp-${number}.png` : `Lamp ${number}`;
};

const listOf = (page: number): string =>
  [1, 2, 3]
    .map((row) => {
      const values = attributes.map((name) => `${name}="${textOf(name, page, row)}"`);
      return `<li class=card><b class=it ${values.slice(0, -1).join(" ")}>Buy</b><img class=it width=9 height=9 ${values.at(-1)}>`;
    })
    .join("");

const pages = Array.from({ length: PAGES }, (_, index) => listOf(index + 1));

const expected: Page = {
  steps: [
    visit(),
    {
      type: "get_list",
      selector: ".card",
      fields: attributes.map((name) => ({ name, selector: name === "src" ? "img" : "b", attribute: name })),
    },
  ],
  rows: pages.flatMap((_, index) =>
    [1, 2, 3].map((row) =>
      Object.fromEntries(attributes.map((name) => [name, textOf(name, index + 1, row)])),
    ),
  ),
};

/** After `ms`, a script shows the next page. */
const scripted = (show: string, ms: number) => `<ul>${pages[0]}</ul><button>Next</button><script>
  const pages = ${JSON.stringify(pages)}, list = document.querySelector("ul"), button = document.querySelector("button");
  let page = 0;
  button.onclick = () => setTimeout(() => { page += 1; ${show} button.disabled = page === ${PAGES - 1}; }, ${ms});</script>`;

const KEEP = `const next = document.createElement("ul"); next.innerHTML = pages[page]; const from = next.querySelectorAll(".it");
  document.querySelectorAll(".it").forEach((it, index) => { for (const { name, value } of from[index].attributes)
    if (it.getAttribute(name) !== value) it.setAttribute(name, value); });`;

export default {
  "on pages that a script shows": {
    ...expected,
    pagination: { type: "next_button", selector: "button" },
    variants: {
      "with other elements, late": { html: scripted("list.innerHTML = pages[page];", 300) },
      "with the same elements": { html: scripted(KEEP, 0) },
      "with the same elements, late": { html: scripted(KEEP, 300) },
    },
  },
  "on documents of their own": {
    ...expected,
    engines: ["browser", "auto"],
    routes: {
      "/": `<ul>${pages[0]}</ul><a href="/2">Next</a>`,
      ...Object.fromEntries(
        pages.map((list, index) => [
          `/${index + 1}`,
          `<ul>${list}</ul>${index + 1 < PAGES ? `<a href="/${index + 2}">Next</a>` : ""}`,
        ]),
      ),
      [`/${PAGES + 1}`]: "<p>No more.",
    },
    variants: {
      "by a link": { pagination: { type: "next_button", selector: "a" } },
      "by their addresses": { pagination: { type: "url_template", url: `${SITE}/{page}` } },
    },
  },
} satisfies Pages;
