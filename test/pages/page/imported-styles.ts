import type { Step } from "../../../functions/contract/steps/steps.ts";
import type { Handler } from "../../site/site.ts";
import { OTHER_SITE, type Page, type Pages, SITE, visit } from "../page.ts";
import { answer } from "../parts/documents.ts";

/* Style sheets that others import, or that shadow roots have: what a text says is only known once they have loaded. */

const UPPER = ".name{text-transform:uppercase}";
const css = (text: string, ms = 0): Handler => answer(text, { ms, type: "text/css" });
/** A style sheet that imports a late one, or the one at `href`. */
const importing = (n: string, href = `/late.css?${n}`) => `@import url("${href}"); .name{color:red}`;
const link = (href: string) => `<link rel=stylesheet href="${href}">`;

/** The sheets of a head. The query keeps each page's apart, because the browser caches them. */
const SHEETS = {
  "/late.css": css(UPPER, 400),
  "/importing.css": (({ url = "" }, response) => {
    response.writeHead(200, { "content-type": "text/css" }).end(importing(url.split("?")[1] ?? ""));
  }) satisfies Handler,
  "/importing-twice.css": (({ url = "" }, response) => {
    const n = url.split("?")[1] ?? "";
    response.writeHead(200, { "content-type": "text/css" }).end(importing(n, `/importing.css?${n}`));
  }) satisfies Handler,
  "/layers.css": (({ url = "" }, response) => {
    response
      .writeHead(200, { "content-type": "text/css" })
      .end(`@layer a, b; ${importing(url.split("?")[1] ?? "")}`);
  }) satisfies Handler,
  "/importing-none.css": css(importing("", "/none.css")),
};

/** What is in the head of a page. `n` is its own. The last one lacks the style sheet that it imports. */
const HEADS: ((n: string) => string)[] = [
  (n) => link(`/importing.css?${n}`),
  (n) => `<style>${importing(n)}</style>`,
  (n) => link(`/importing-twice.css?${n}`),
  (n) => link(`${OTHER_SITE}/importing.css?${n}`),
  (n) => link(`/layers.css?${n}`),
  // Loads its style sheet ahead.
  (n) =>
    `<link rel=preload as=style href="/importing.css?${n}" onload="this.onload = null; this.rel = 'stylesheet'">`,
  // A script adds it to a page that has loaded.
  (n) => `<script>addEventListener("load", () => {
    const style = document.createElement("style");
    style.textContent = '${importing(n)}';
    document.head.append(style);
  })</script>`,
  (n) => `${link(`/importing.css?${n}`)}<script>window.ready = 1</script>`,
  () => link("/importing-none.css"),
];

/** What is in a shadow root. The last one lacks its style sheet. */
const ROOTS: ((n: string) => string)[] = [
  (n) => link(`/late.css?${n}`),
  (n) => link(`${OTHER_SITE}/late.css?${n}`),
  (n) => `<style>${importing(n)}</style>`,
  () => link("/none.css"),
];
/** How 20 rows get shadow roots with a content. */
const SHADOWS: ((content: string) => string)[] = [
  (content) =>
    `<main>${`<article><template shadowrootmode=open>${content}</template></article>`.repeat(20)}</main>`,
  (content) => `<main>${"<article></article>".repeat(20)}</main><script>
    for (const row of document.querySelectorAll("article")) row.attachShadow({ mode: "open" }).innerHTML = '${content}';</script>`,
  (
    content,
  ) => `<main>${"<x-row></x-row>".repeat(20)}</main><script>customElements.define("x-row", class extends HTMLElement {
    connectedCallback() { this.attachShadow({ mode: "open" }).innerHTML = '<div>${content}</div>'; } });</script>`,
];

interface Document {
  html: (n: string) => string;
  isPlain: boolean;
}
const heads: Document[] = HEADS.map((head, index) => ({
  html: (n) => `${head(n)}<main>${"<article><b class=name>Lamp</b></article>".repeat(20)}</main>`,
  isPlain: index === HEADS.length - 1,
}));
const shadows: Document[] = ROOTS.flatMap((root, index) =>
  SHADOWS.map((shadow) => ({
    html: (n: string) => shadow(`${root(n)}<b class=name>Lamp</b>`),
    isPlain: index === ROOTS.length - 1,
  })),
);

/** Each document in turn as a list, and as the details of one. */
function readings(documents: readonly Document[]): { list: Page; details: Page } {
  const pages = (kind: string) =>
    Object.fromEntries(
      documents.map(({ html }, n) => [
        `/${kind}/${n}`,
        `<!doctype html><meta charset=utf-8>${html(kind + n)}`,
      ]),
    );
  const name = { name: "name", selector: ".name" };
  const text = ({ isPlain }: Document) => ({ name: isPlain ? "Lamp" : "LAMP" });
  const list: Step = { type: "get_list", selector: "article, x-row", fields: [name] };
  return {
    list: {
      routes: { ...SHEETS, ...pages("list") },
      steps: documents.flatMap((_, n) => [visit(`/list/${n}`), list]),
      rows: documents.flatMap((document) => Array.from({ length: 20 }, () => text(document))),
    },
    details: {
      html: `<!doctype html>${documents.map((_, n) => `<p><a href="/detail/${n}">More</a></p>`).join("")}`,
      routes: { ...SHEETS, ...pages("detail") },
      steps: [
        visit(),
        {
          type: "get_list",
          selector: "p",
          fields: [{ name: "url", selector: "a", attribute: "href" }],
          details: { url_field: "url", fields: [name] },
        },
      ],
      rows: documents.map((document, n) => ({ url: `${SITE}/detail/${n}`, ...text(document) })),
    },
  };
}

export default {
  "imported by a page's style sheets, in lists": readings(heads).list,
  "imported by a page's style sheets, in details": readings(heads).details,
  "of shadow roots, in lists": readings(shadows).list,
  "of shadow roots, in details": readings(shadows).details,
} satisfies Pages;
