import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, expect, test } from "@jest/globals";
import { type Site, sendHtml, startSite } from "../../../site/site.ts";
import { startEngine } from "../harness.ts";

/* Style sheets that others import, or that shadow roots have: what a text says is only known once they have loaded. */

const site = await startSite();
const other = await startSite();
const engine = await startEngine([site.host, other.host]);
afterAll(async () => {
  await engine.close();
  await Promise.all([site.close(), other.close()]);
});

const LATE_MS = 400;
const UPPER = ".name{text-transform:uppercase}";

/** A style sheet. Returns its address. */
function sheet(css: string, { at = site, ms = 0 }: { at?: Site; ms?: number } = {}): string {
  const path = `${site.newPath()}.css`;
  at.setRoute(path, async (_, response) => {
    await sleep(ms);
    response.writeHead(200, { "content-type": "text/css" }).end(css);
  });
  return at.url(path);
}

const importing = (href: string) => `@import url("${href}"); .name{color:red}`;
const link = (href: string) => `<link rel=stylesheet href="${href}">`;
const late = (at = site) => sheet(UPPER, { at, ms: LATE_MS });

const heads: [string, () => string][] = [
  ["a link", () => link(sheet(importing(late())))],
  ["a style element", () => `<style>${importing(late())}</style>`],
  ["an imported style sheet", () => link(sheet(importing(sheet(importing(late())))))],
  ["a link to another site", () => link(sheet(importing(late(other)), { at: other }))],
  ["a style sheet with layers", () => link(sheet(`@layer a, b; ${importing(late())}`))],
  [
    "a link that has loaded its style sheet ahead",
    () =>
      `<link rel=preload as=style href="${sheet(importing(late()))}" onload="this.onload = null; this.rel = 'stylesheet'">`,
  ],
  [
    "a style element that a script adds to a page that has loaded",
    () => `<script>addEventListener("load", () => {
      const style = document.createElement("style");
      style.textContent = '${importing(late())}';
      document.head.append(style);
    })</script>`,
  ],
  ["a page with scripts", () => `${link(sheet(importing(late())))}<script>window.ready = 1</script>`],
];

/** The texts of a list and of a detail page. */
async function read(head: string) {
  const [path, detail] = [site.newPath(), site.newPath()];
  site.setRoute(path, (_, response) => {
    const rows = Array.from({ length: 20 }, () => `<li><a href="${detail}" class=name>Lamp</a></li>`);
    sendHtml(response, `<!doctype html><meta charset=utf-8>${head}<ul>${rows.join("")}</ul>`);
  });
  site.setRoute(detail, (_, response) =>
    sendHtml(response, `<!doctype html><meta charset=utf-8>${head}<h1 class=name>Chair</h1>`),
  );
  const { rows, failure } = await engine.run({
    steps: [
      { type: "visit", url: site.url(path) },
      {
        type: "get_list",
        selector: "li",
        fields: [
          { name: "name", selector: ".name" },
          { name: "url", selector: "a", attribute: "href" },
        ],
        details: { url_field: "url", fields: [{ name: "title", selector: "h1" }] },
      },
    ],
    rowsLimit: 1,
  });
  expect(failure).toBeUndefined();
  return [rows[0]?.name, rows[0]?.title];
}

test.concurrent.each(heads)("imported by %s", async (_, head) => {
  expect(await read(head())).toEqual(["LAMP", "CHAIR"]);
});

test.concurrent("that are missing", async () => {
  expect(await read(link(sheet(importing(site.url(site.newPath())))))).toEqual(["Lamp", "Chair"]);
});

const shadows: [string, () => string, string][] = [
  ["a link", () => link(late()), "LAMP"],
  ["a link to another site", () => link(late(other)), "LAMP"],
  ["a style sheet that imports one", () => `<style>${importing(late())}</style>`, "LAMP"],
  ["a link that fails", () => link(site.url(site.newPath())), "Lamp"],
];

test.concurrent.each(shadows)("in a shadow root, by %s", async (_, head, name) => {
  const content = `${head()}<b class=name>Lamp</b>`;
  const pages = [
    `<main>${`<article><template shadowrootmode=open>${content}</template></article>`.repeat(20)}</main>`,
    `<main>${"<article></article>".repeat(20)}</main><script>for (const row of document.querySelectorAll("article"))
      row.attachShadow({ mode: "open" }).innerHTML = '${content}';</script>`,
    `<main>${"<x-row></x-row>".repeat(20)}</main><script>customElements.define("x-row", class extends HTMLElement {
      connectedCallback() { this.attachShadow({ mode: "open" }).innerHTML = '<div>${content}</div>'; } });</script>`,
  ];
  for (const page of pages) {
    const [path, detail] = [site.newPath(), site.newPath()];
    site.setRoute(path, `<!doctype html><meta charset=utf-8>${page}<p><a href="${detail}">More</a></p>`);
    site.setRoute(detail, `<!doctype html><meta charset=utf-8>${page}`);
    const told = await engine.run({
      steps: [
        { type: "visit", url: site.url(path) },
        { type: "get_list", selector: "article, x-row", fields: [{ name: "name", selector: ".name" }] },
      ],
    });
    expect(told.failure).toBeUndefined();
    expect(told.rows).toEqual(Array.from({ length: 20 }, () => ({ name })));
    const details = await engine.run({
      steps: [
        { type: "visit", url: site.url(path) },
        {
          type: "get_list",
          selector: "p",
          fields: [{ name: "url", selector: "a", attribute: "href" }],
          details: { url_field: "url", fields: [{ name: "name", selector: ".name" }] },
        },
      ],
    });
    expect(details.failure).toBeUndefined();
    expect(details.rows[0]?.name).toBe(name);
  }
});
