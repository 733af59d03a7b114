import { gzipSync } from "node:zlib";
import { expect, test } from "@jest/globals";
import { sendHtml } from "../../../site/site.ts";
import {
  type ListedPage,
  type ListedSite,
  plainPage,
  rowsOf,
  type Serve,
  startNumberedSite,
} from "./numbered-site.ts";

/* Lists with a page that is not like the others, or that a server answers in its own way. */

const { compare } = await startNumberedSite();

/** A page of its own among the others. */
const only =
  (number: number, html: (page: ListedPage) => string, other: (page: ListedPage) => string = plainPage) =>
  (page: ListedPage): string =>
    page.number === number ? html(page) : other(page);
const scripted = (page: ListedPage) =>
  plainPage({ ...page, head: `${page.head}<script>document.documentElement.dataset.ready = 1</script>` });
const asBytes =
  (type: string, encode: (html: string) => Buffer, html: (page: ListedPage) => string): Serve =>
  (page, response) => {
    response.writeHead(200, { "content-type": type }).end(encode(html(page)));
    return true;
  };
const latin = (html: string) => Buffer.from(html, "latin1");
const umlauts = (charset: string) => (page: ListedPage) =>
  plainPage({ ...page, rows: rowsOf(page.number, (n) => `Löwe ${n}`) }).replace(
    'charset="utf-8"',
    `charset="${charset}"`,
  );
/** The pages that were asked for, by the engine. */
const asked = new Set<string>();
/** "ランプ" in Shift_JIS. */
const LAMP = "\x83\x89\x83\x93\x83\x76";

/**
 * Each list with how many of its nine pages the browser opens. Where there is no doubt, these are 1, 6 and 9; with
 * scripts 1, 2, 4, 7 and 9.
 */
const cases: [string, number, ListedSite][] = [
  ["scripts that do nothing", 5, { html: scripted }],
  ["one page has a script", 5, { html: only(7, scripted) }],
  ["one page has no script", 7, { html: only(7, plainPage, scripted) }],
  [
    "one page has another style sheet",
    5,
    { html: only(7, (page) => plainPage({ ...page, head: `${page.head}<style>li{color:red}</style>` })) },
  ],
  [
    "one page has a class that its script looks for",
    8,
    {
      html: (page) =>
        plainPage({
          ...page,
          rows: page.number === 5 ? page.rows.replaceAll("card", "card sold") : page.rows,
        }).replace(
          "</body>",
          "<script>for (const at of document.querySelectorAll('.sold .name')) at.textContent += ' sold'</script></body>",
        ),
    },
  ],
  [
    "one page has a control that leads elsewhere by a script",
    6,
    {
      html: (page) =>
        scripted({
          ...page,
          head: `${page.head}<script>addEventListener("click", (event) => {
            if (!event.target.matches(".skip")) return;
            event.preventDefault();
            location = event.target.href.replace(/page=.*/, "page=8");
          })</script>`,
          next: page.number === 5 ? page.next.replace("class=next", 'class="next skip"') : page.next,
        }),
    },
  ],
  [
    "one page lacks a field",
    4,
    {
      html: only(4, (page) =>
        plainPage({ ...page, rows: page.rows.replace(/<span class="name">.*?<\/span>/, "x") }),
      ),
    },
  ],
  [
    "one page has fewer rows",
    3,
    { html: only(5, (page) => plainPage({ ...page, rows: page.rows.replace(/<li.*?<\/li>/, "") })) },
  ],
  ["a page that comes again", 4, { html: only(5, (page) => plainPage({ ...page, rows: rowsOf(4) })) }],
  ["a page without rows", 3, { html: only(5, (page) => plainPage({ ...page, rows: "" })) }],
  [
    "a list that goes round",
    3,
    { html: (page) => plainPage({ ...page, next: page.next.replace("page=7", "page=2") }) },
  ],
  [
    "a control that leads to its own page",
    3,
    { html: (page) => plainPage({ ...page, next: page.next.replace("page=7", "page=6") }) },
  ],
  [
    "a control that leads to another site",
    2,
    {
      html: (page) =>
        plainPage({ ...page, next: page.next.replace(/href="(.*page=6)"/, 'href="http://localhost:1/"') }),
    },
  ],
  [
    "a control that is disabled",
    2,
    {
      html: only(6, (page) =>
        plainPage({ ...page, next: page.next.replace("class=next", 'class="next disabled"') }),
      ),
    },
  ],
  ["a login wall", 2, { html: only(5, () => "<form><input type=password></form>") }],
  ["windows-1252", 3, { serve: asBytes("text/html; charset=windows-1252", latin, umlauts("windows-1252")) }],
  ["windows-1252 by its markup", 3, { serve: asBytes("text/html", latin, umlauts("iso-8859-1")) }],
  [
    "an encoding that the header contradicts",
    3,
    { serve: asBytes("text/html; charset=windows-1252", latin, umlauts("utf-8")) },
  ],
  [
    "bytes that are invalid in the encoding",
    9,
    { serve: asBytes("text/html; charset=utf-8", latin, umlauts("utf-8")) },
  ],
  [
    "shift_jis",
    3,
    {
      serve: asBytes("text/html; charset=shift_jis", latin, (page) =>
        plainPage({ ...page, rows: rowsOf(page.number, (n) => LAMP + n) }),
      ),
    },
  ],
  [
    "utf-16",
    9,
    { serve: asBytes("text/html", (html) => Buffer.from(`\ufeff${html}`, "utf16le"), umlauts("utf-8")) },
  ],
  [
    "utf-8 with a mark",
    3,
    { serve: asBytes("text/html", (html) => Buffer.from(`\ufeff${html}`), umlauts("utf-8")) },
  ],
  [
    "compressed",
    3,
    {
      serve(page, response) {
        response
          .writeHead(200, { "content-type": "text/html", "content-encoding": "gzip" })
          .end(gzipSync(plainPage(page)));
        return true;
      },
    },
  ],
  [
    "a redirect",
    4,
    {
      serve(page, response) {
        if (page.number !== 7 || page.request.url?.includes("again")) return false;
        response.writeHead(302, { location: `${page.request.url}&again` }).end();
        return true;
      },
    },
  ],
  [
    "a cookie that is another one after each page",
    3,
    {
      serve(page, response) {
        const cookies = new Set(page.request.headers.cookie?.split("; "));
        const key = `${page.engine} ${page.number}`;
        // A page comes again if it is read both ways, or if the next document overtakes its rows.
        const places = asked.has(key) ? [-1, 0, 1] : [-1];
        asked.add(key);
        const isNear = places.some((place) => cookies.delete(`page=${page.number + place}`));
        const isNext = (isNear && cookies.delete("all=1") && cookies.size === 0) || page.number === 1;
        response.setHeader("set-cookie", [
          `page=${page.number}; Path=/; HttpOnly; Max-Age=60`,
          "all=1; Path=/; SameSite=Lax",
          "old=1; Path=/; Max-Age=0",
          "else=1; Path=/other",
        ]);
        if (!isNext) sendHtml(response, "Sign in");
        return !isNext;
      },
    },
  ],
  [
    "cookies that the browser shortens or ignores",
    3,
    {
      serve(page, response) {
        const isAsked = page.number === 1 || page.request.headers.cookie === "far=1";
        response.setHeader("set-cookie", [
          "far=1; Path=/; Max-Age=315360000000",
          "old=1; Path=/; Expires=Fri, 01 Jan 1960 00:00:00 GMT",
          "other=1; Path=/; Domain=other.example",
        ]);
        if (!isAsked) sendHtml(response, "Sign in");
        return !isAsked;
      },
    },
  ],
  [
    "a cookie that the browser refuses",
    9,
    {
      serve(_, response) {
        response.setHeader("set-cookie", "__Host-a=1");
        return false;
      },
    },
  ],
  [
    "a cookie that each later page needs",
    5,
    {
      serve(page, response) {
        if (page.number === 1) response.setHeader("set-cookie", "session=1; HttpOnly");
        const isSignedIn = page.number === 1 || page.request.headers.cookie?.includes("session=1");
        if (!isSignedIn) sendHtml(response, "Sign in");
        return !isSignedIn;
      },
      html: scripted,
    },
  ],
  [
    "a page that the referrer decides",
    3,
    {
      html: (page) =>
        page.request.headers.referer === undefined || page.number % 3 !== 2
          ? plainPage(page)
          : plainPage(page).replace("Page", "Seite"),
    },
  ],
];

test.concurrent.each(cases)("%s", async (_, expected, listed) => {
  const { opened } = await compare(listed);
  // Once the list is read in the browser, a page whose rows were overtaken by the next document is opened again.
  if (expected >= 8) expect(opened).toBeGreaterThanOrEqual(expected);
  else expect(opened).toBe(expected);
});

test.concurrent("a page that fails for good", async () => {
  const { browser } = await compare({
    serve(page, response) {
      if (page.number !== 5) return false;
      sendHtml(response, "Broken", 501);
      return true;
    },
  });
  expect(browser.failure?.code).toBe("http_error");
  expect(browser.rows).toHaveLength(12);
});

test.concurrent("a page that fails once", async () => {
  const failed = new Set<string>();
  for (const number of [4, 6]) {
    await compare({
      serve(page, response) {
        const key = `${page.engine} ${page.request.url}`;
        if (page.number !== number || failed.has(key)) return false;
        failed.add(key);
        sendHtml(response, "Busy", 503);
        return true;
      },
    });
  }
});

test.concurrent("a page that is cut off", async () => {
  const cutOff = new Set<string>();
  const { browser } = await compare({
    serve(page, response) {
      if (page.number !== 5) return false;
      const html = plainPage(page);
      // Once for each of the two runs.
      const length = cutOff.has(page.engine) ? html.length : html.length + 9;
      cutOff.add(page.engine);
      response.writeHead(200, { "content-type": "text/html; charset=utf-8", "content-length": length });
      response.end(html, () => response.destroy());
      return true;
    },
  });
  expect(browser.rows).toHaveLength(27);
});

test.concurrent("a site that shows other rows by HTTP", async () => {
  // Those that are opened both ways.
  for (const number of [1, 6, 9]) {
    const requests = new Map<string, number>();
    await compare({
      html(page) {
        const key = `${page.engine} ${page.request.url}`;
        const count = (requests.get(key) ?? 0) + 1;
        requests.set(key, count);
        // The first page is opened before it is read by HTTP.
        const isHttp = page.engine === "auto" && count === (page.number === 1 ? 2 : 1);
        const rows = number === page.number && isHttp ? rowsOf(number, (n) => `Other ${n}`) : page.rows;
        return plainPage({ ...page, rows });
      },
    });
  }
});

test.concurrent("limits", async () => {
  for (const rowsLimit of [1, 3, 4, 8, 9, 10, 14, 26, 27]) await compare({ rowsLimit });
  for (const max_pages of [1, 2, 3, 4, 5, 7, 8]) await compare({ control: { max_pages } as never });
  await compare({ pages: 1 });
  await compare({ pages: 2 });
  await compare({ pages: 2, html: scripted });
});

test.concurrent("a control by its name", async () => {
  const named = (next: string) => ({
    control: { selector: undefined, field_name: "Next" } as never,
    html: (page: ListedPage) =>
      plainPage({
        ...page,
        next: page.next && next.replaceAll("HREF", /href="(.*?)"/.exec(page.next)?.[1] ?? ""),
      }),
  });
  for (const next of [
    '<a href="HREF">Next »</a>',
    '<a href="HREF" aria-label=next>›</a>',
    '<a href="HREF" title=Next><i></i></a>',
    '<a href="HREF">Next</a> <a href="HREF">next</a>',
  ])
    expect((await compare(named(next))).opened).toBe(3);
  for (const next of [
    '<a href="HREF">Next</a> <a href="/other">Next</a>',
    '<a href="HREF">Next</a><button>Next</button>',
  ])
    await compare(named(next));
});

test.concurrent("a list of many pages", async () => {
  const { opened, browser } = await compare({ pages: 60 });
  expect(browser.rows).toHaveLength(180);
  // 1, 6, 15, 32, 49 and 60.
  expect(opened).toBe(6);
});

test.concurrent("a control that a script uses in its own way", async () => {
  for (const script of [
    "document.querySelector('.next')?.addEventListener('click', (event) => { event.preventDefault(); location = event.target.href + '&by=script' })",
    "addEventListener('click', async (event) => { if (event.target.className !== 'next') return; event.preventDefault(); document.body.innerHTML = new DOMParser().parseFromString(await (await fetch(event.target.href)).text(), 'text/html').body.innerHTML.replaceAll('Lamp', 'Lampe') })",
  ])
    await compare({
      pages: 5,
      html: (page) =>
        scripted({
          ...page,
          head: `${page.head}<script defer src="data:text/javascript,${encodeURIComponent(script)}"></script>`,
        }),
    });
});
