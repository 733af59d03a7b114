import { expect, test } from "@jest/globals";
import { type ListedPage, type ListedSite, plainPage, rowsOf, startNumberedSite } from "./numbered-site.ts";

/* Lists whose pages are read by HTTP, compared with what the browser alone gives. */

const { compare } = await startNumberedSite();

const withRows =
  (text: (n: number) => string) =>
  (page: ListedPage): string =>
    plainPage({ ...page, rows: rowsOf(page.number, text) });
const withHead =
  (head: string) =>
  (page: ListedPage): string =>
    plainPage({ ...page, head: page.head + head });
const within =
  (wrap: (page: ListedPage) => string) =>
  (page: ListedPage): string =>
    plainPage(page).replace(/<body>.*<\/body>/s, (body) =>
      wrap(page).replace("BODY", () => body.slice(6, -7)),
    );

/** Pages of nine that are opened in the browser where nothing raises a doubt: 1, 6 and 9. */
const FEW = 3;

const plain: [string, ListedSite][] = [
  ["nothing special", {}],
  ["no document type", { html: (page) => plainPage(page).replace("<!doctype html>", "") }],
  ["entities", { html: withRows((n) => `A &amp; B &lt;${n}&gt; &eacute;&#8364;&nbsp;x`) }],
  ["white space and line breaks", { html: withRows((n) => `\n  Lamp\t\n  ${n}  <b> x </b>\r\n`) }],
  ["comments", { html: withRows((n) => `Lamp<!-- not ${n} --> ${n}`) }],
  ["inline elements", { html: withRows((n) => `<b>Lamp</b><i> no. <u>${n}</u></i>`) }],
  ["unclosed elements", { html: (page) => plainPage(page).replaceAll("</li>", "") }],
  [
    "misnested elements",
    {
      html: withRows((n) => `<b><i>Lamp</b> ${n}</i>`),
      fields: [{ name: "url", selector: "a", attribute: "href" }],
    },
  ],
  [
    "a table without its body",
    {
      html: (page) =>
        plainPage(page).replace(
          /<ul>.*<\/ul>/s,
          `<table>${[1, 2, 3].map((n) => `<tr class=card><td class=name>Lamp ${page.number}-${n}`).join("")}</table>`,
        ),
      fields: [{ name: "name", selector: ".name" }],
    },
  ],
  [
    "a base address",
    {
      html: (page) =>
        withHead('<base href="/shop/">')({ ...page, rows: page.rows.replaceAll("/p/", "item/") }),
    },
  ],
  ["relative links", { html: (page) => plainPage({ ...page, rows: page.rows.replaceAll("/p/", "?item=") }) }],
  [
    "links with odd characters",
    { html: (page) => plainPage({ ...page, rows: page.rows.replaceAll("/p/", " /p/ä b?q=ü&copy;=1#") }) },
  ],
  [
    "invalid links",
    { html: (page) => plainPage({ ...page, rows: page.rows.replaceAll("/p/", "http://[") }) },
  ],
  ["noscript in the head", { html: withHead("<noscript><img src=/pixel><p>No</noscript>") }],
  ["noscript in the body", { html: within(() => "<noscript><div></noscript>BODY") }],
  ["a style that hides something else", { css: ".advert{display:none}.advert:hover{display:block}" }],
  [
    "styles that change nothing",
    { css: "li{color:red;display:flex}.name:hover{color:blue}a::selection{color:red}" },
  ],
  [
    "attributes",
    {
      html: (page) =>
        plainPage({ ...page, rows: page.rows.replaceAll("<li ", '<li title="a  b" data-x="1" ') }),
      fields: [
        { name: "title", attribute: "title" },
        { name: "x", attribute: "data-x" },
      ],
    },
  ],
  [
    "JSON for search engines",
    { html: (page) => withHead(`<script type="application/ld+json">{"page":${page.number}}</script>`)(page) },
  ],
];

test.concurrent.each(plain)("by HTTP: %s", async (_, listed) => {
  const { browser, opened } = await compare(listed);
  expect(browser.rows).toHaveLength(27);
  expect(opened).toBe(FEW);
});

const withScript =
  (script: string, where: (page: ListedPage) => boolean = () => true) =>
  (page: ListedPage): string =>
    where(page)
      ? plainPage(page).replace("</body>", () => `<script>${script}</script></body>`)
      : plainPage(page);

const doubtful: [string, ListedSite][] = [
  // Scripts that have a part in what the rows say.
  [
    "a script that sorts the rows",
    {
      html: withScript(
        "const list = document.querySelector('ul'); list.append(...[...list.children].reverse())",
      ),
    },
  ],
  ["a script that removes a row", { html: withScript("document.querySelector('.card').remove()") }],
  [
    "a script that formats texts",
    {
      html: withScript(
        "for (const at of document.querySelectorAll('.name')) at.textContent = at.textContent.replace('Lamp', 'Lampe')",
      ),
    },
  ],
  [
    "a script that formats texts later",
    {
      html: withScript(
        "setTimeout(() => { for (const at of document.querySelectorAll('.name')) at.textContent += '!' }, 2000)",
      ),
    },
  ],
  [
    "a script that adds rows",
    {
      html: withScript(
        "document.querySelector('ul').insertAdjacentHTML('beforeend', '<li class=card><a href=/x><span class=name>More</span></a></li>')",
      ),
    },
  ],
  [
    "a script that rewrites links",
    {
      html: withScript(
        "for (const a of document.querySelectorAll('a')) if (a.className !== 'next') a.href += '?from=list'",
      ),
    },
  ],
  [
    "a script that is another one on each page",
    { html: (page) => withScript(`window.page = ${page.number}`)(page) },
  ],
  [
    "a handler that is another one on each page",
    {
      html: (page) =>
        withScript("")(page).replace("<body", `<body onload="this.page='${"abcdefghi"[page.number - 1]}'"`),
    },
  ],
  [
    "a script that hides by its own style",
    {
      html: withScript(
        "document.head.insertAdjacentHTML('beforeend', '<style>li:first-child .name{display:none}</style>')",
      ),
    },
  ],
  [
    "custom elements",
    {
      html: (page) =>
        plainPage(page)
          .replaceAll('<span class="name">', '<x-name class="name">')
          .replaceAll("</span>", "</x-name>"),
    },
  ],
  // Styles and markup that decide what a text says.
  ["uppercase by a style", { css: ".name{text-transform:uppercase}" }],
  ["uppercase by a style around", { css: "body{text-transform:uppercase}" }],
  [
    "a style that hides a part",
    { html: withRows((n) => `Lamp <i class=part>${n}</i>`), css: ".part{display:none}" },
  ],
  ["a style that hides some rows", { css: "li:nth-child(2){visibility:hidden}" }],
  ["a style that hides for a medium", { css: "@media (min-width:1px){.name{visibility:hidden}}" }],
  ["a style with a selector that negates", { css: "li:not(:hover) .name{text-transform:uppercase}" }],
  [
    "text before an element",
    { html: withRows((n) => `<i>Lamp</i> <i>${n}</i>`), css: "i::before{content:'No. '}" },
  ],
  ["white space that is kept", { html: withRows((n) => `Lamp\n  ${n}`), css: ".name{white-space:pre}" }],
  ["an inline style", { html: withRows((n) => `<span style="text-transform:uppercase">Lamp ${n}</span>`) }],
  ["a hidden attribute", { html: withRows((n) => `Lamp <i hidden>${n}</i>`) }],
  ["a line break", { html: withRows((n) => `Lamp<br>${n}`) }],
  ["blocks in a text", { html: withRows((n) => `<p>Lamp</p><div>${n}</div>`) }],
  ["a table in a text", { html: withRows((n) => `<table><tr><td>Lamp<td>${n}</table>`) }],
  ["blocks by a style", { html: withRows((n) => `<i>Lamp</i><b>${n}</b>`), css: "i{display:block}" }],
  ["floating parts", { html: withRows((n) => `<i>Lamp</i><b>${n}</b>`), css: "i{float:left}" }],
  ["soft hyphens", { html: withRows((n) => `La&shy;mp ${n}`) }],
  ["marks of direction", { html: withRows((n) => `\u200fLamp\u200e ${n} <bdo dir=rtl>abc</bdo>`) }],
  [
    "a closed details element",
    {
      html: (page) =>
        plainPage({
          ...page,
          rows: page.rows
            .replaceAll('<span class="name">', '<details><summary>S</summary><span class="name">')
            .replaceAll("</span>", "</span></details>"),
        }),
    },
  ],
  ["noscript in a text", { html: withRows((n) => `Lamp <noscript>no ${n}</noscript>`) }],
  [
    "a template with a shadow root",
    { html: withRows((n) => `<div><template shadowrootmode=open><slot></slot>!</template>Lamp ${n}</div>`) },
  ],
  [
    "a form control in a text",
    { html: withRows((n) => `Lamp <input value=${n}><select><option>a</select>`) },
  ],
  ["an image in a text", { html: withRows((n) => `Lamp <img alt=x> ${n}`) }],
  ["svg", { html: withRows((n) => `<svg><text class=name>${n}</text></svg>`) }],
  [
    "a style sheet of another site",
    {
      html: withHead(
        '<link rel=stylesheet href="http://127.0.0.1:1/none.css"><style>@import "http://127.0.0.1:1/other.css"</style>',
      ),
    },
  ],
  // Encodings and addresses.
  [
    "no encoding",
    {
      serve: ({ number, head, rows, next }, response) => {
        response
          .writeHead(200, { "content-type": "text/html" })
          .end(plainPage({ number, head, rows, next }).replace('<meta charset="utf-8">', ""));
        return true;
      },
    },
  ],
  ["noscript in a comment", { html: within(() => "<!-- <noscript> -->BODY<!-- </noscript> -->") }],
  [
    "a control whose name is a part of another",
    { control: { selector: undefined, field_name: "Nex" } as never },
  ],
  ["a control that is hidden", { css: ".next{display:none}", pages: 3 }],
  ["a refresh", { html: withHead('<meta http-equiv=refresh content="9999">') }],
  ["a referrer policy", { html: withHead("<meta name=referrer content=no-referrer>") }],
];

test.concurrent.each(doubtful)("in the browser: %s", async (_, listed) => {
  // By HTTP, only the first page and the last would be opened.
  const { browser, opened } = await compare({ pages: 4, ...listed });
  // A page whose rows were overtaken by the next document is opened again.
  expect(opened).toBeGreaterThanOrEqual(browser.loads);
});
