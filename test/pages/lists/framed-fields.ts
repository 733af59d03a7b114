import type { StepOf } from "../../../functions/contract/steps/steps.ts";
import { OTHER_SITE, type Pages, SITE, visit } from "../page.ts";

/* Rows whose values are in frames within them. */

const reading = (list: Partial<StepOf<"get_list">>) => [
  visit(),
  {
    type: "get_list",
    selector: "article",
    fields: [],
    ...list,
  } satisfies StepOf<"get_list">,
];
const text = { name: "text", frame: "iframe", selector: ".text" };
const reviews = (frame: (n: number) => string) =>
  [1, 2, 3].map((n) => `<article><h4>Lamp ${n}</h4>${frame(n)}</article>`).join("");
const rows = [1, 2, 3].map((n) => ({ name: `Lamp ${n}`, text: `Opinion ${n}` }));
const fields = [{ name: "name", selector: "h4" }, text];

export default {
  "values in frames within the rows": {
    steps: reading({ fields }),
    rows,
    variants: {
      "with srcdoc, and only some of it visible": {
        html: reviews(
          (n) =>
            `<iframe srcdoc="<style>i { display: none }</style><p class=text>Opinion <i>no</i>${n}</p>"></iframe>`,
        ),
      },
      "that a script fills": {
        html: reviews((n) => `<iframe src="/text?${n}"></iframe>`),
        routes: {
          "/text": ({ url = "" }, response) =>
            void response
              .setHeader("Content-Type", "text/html")
              .end(
                `<p class=text></p><script>setTimeout(() => { document.querySelector("p").textContent = "Opinion ${url.slice(-1)}"; }, 500)</script>`,
              ),
        },
      },
      "that load once they come near the view": {
        html: reviews(
          (n) =>
            `<p style="height: 3000px"></p><iframe loading=lazy srcdoc="<p class=text>Opinion ${n}</p>"></iframe>`,
        ),
      },
      "inside another frame, in a list within the row": {
        html: reviews(
          (n) =>
            `<ul><li><iframe srcdoc="<iframe srcdoc='<p class=text>Opinion ${n}</p>'></iframe>"></iframe></ul>`,
        ),
        steps: reading({
          fields: [
            { name: "name", selector: "h4" },
            {
              name: "opinions",
              list: { selector: "li", fields: [{ ...text, frame: ["iframe", "iframe"] }] },
            },
          ],
        }),
      },
      "of the pages of rows": {
        html: '<article><a href="/1">Lamp 1</a></article>',
        routes: { "/1": '<iframe srcdoc="<p class=text>Opinion 1</p>"></iframe>' },
        steps: reading({
          fields: [{ name: "name" }, { name: "url", selector: "a", attribute: "href" }],
          details: { url_field: "url", fields: [text] },
        }),
        rows: [{ name: "Lamp 1", url: `${SITE}/1`, text: "Opinion 1" }],
      },
    },
  },
  "a selector that would reach into a frame": {
    html: reviews((n) => `<iframe srcdoc="<p class=text>Opinion ${n}</p>"></iframe>`),
    steps: reading({
      fields: [
        { name: "name", selector: "h4" },
        { name: "text", selector: "iframe .text" },
      ],
    }),
    rows: rows.map(({ name }) => ({ name })),
    warnings: [{ code: "field_empty", message: 'write "frame": "iframe" and "selector": ".text"' }],
  },
  "a selector of a frame within rows that only Playwright can evaluate": {
    html: reviews(() => "<iframe></iframe>"),
    steps: reading({ fields: [{ ...text, selector: "text=Opinion" }] }),
    failure: { code: "invalid_step", message: "Use CSS or XPath for lists and frames within a row" },
  },
  "values in frames within the rows that the page's own origin does not reach": {
    steps: reading({ fields }),
    failure: { code: "invalid_step", message: 'Read its address by a field with "attribute": "src"' },
    variants: {
      "of another origin": {
        html: reviews(() => `<iframe src="${OTHER_SITE}/text"></iframe>`),
        routes: { "/text": "text" },
      },
      "in a sandbox": { html: reviews(() => `<iframe sandbox srcdoc="<p class=text>Opinion</p>"></iframe>`) },
    },
  },
} satisfies Pages;
