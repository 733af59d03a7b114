import { randomInt } from "node:crypto";
import type { ServerResponse } from "node:http";
import { expect, test } from "@jest/globals";
import { type ListedPage, numbered, plainPage } from "../../../pages/parts/numbered.ts";
import { jobAt, servePage } from "../../../pages/runner/run-case.ts";
import { sendHtml } from "../../../site/site.ts";
import { startHtmlReader } from "../page-script/html-reader.ts";

/* Random pages: what is read by HTTP is what the browser shows. */

const { engine, site, readMessy } = await startHtmlReader();
/** A test's name says its seed. `SEEDS=1,2` repeats these. */
const seeds =
  process.env.SEEDS?.split(",").map(Number) ?? Array.from({ length: 8 }, () => randomInt(100_000));

test.each(seeds)("texts of the messy page %i", async (seed) => {
  const { certain } = await readMessy(seed);
  expect(certain.map(({ cells }) => cells)).toEqual(certain.map(({ shown }) => [[shown]]));
});

/** A random list, the same for each seed. */
function randomList(seed: number) {
  let state = seed * 7_919 + 17;
  const random = () => {
    state = (Math.imul(state ^ (state >>> 15), 2_246_822_519) + 0x9e3779b9) >>> 0;
    return ((state ^ (state >>> 13)) >>> 0) / 2 ** 32;
  };
  const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)] as T;
  const odd = 2 + Math.floor(random() * 8);
  const name = pick<(n: number) => string>([
    (n) => `Lamp ${n}`,
    (n) => `\n  <b>Lamp</b>  <i class=c${n % 4}>${n}</i>`,
    (n) => `Lamp &amp; ${n}${n % 11 === 0 ? "<br>x" : ""}`,
    (n) => `<span class=c${n % 3}>Lamp</span>${n % 17 === 5 ? "&shy;" : ""} ${n}`,
    (n) => `Lamp ${n % 9 === 4 ? "<p>in two</p>" : ""} ${n}`,
  ]);
  const css = pick([
    "",
    ".c1{color:red}",
    ".c3{display:none}",
    ".c2:hover{text-transform:uppercase}",
    ".c0::before{content:'x'}",
  ]);
  const script = pick([
    "",
    "",
    "document.title += '!'",
    "for (const at of document.querySelectorAll('.odd .name')) at.textContent += '?'",
  ]);
  const change = pick<(page: ListedPage) => ListedPage>([
    (page) => page,
    (page) => ({ ...page, rows: page.rows.replace("card", "card odd") }),
    (page) => ({ ...page, rows: page.rows.replace(/<li.*?<\/li>/s, "") }),
    (page) => ({ ...page, rows: page.rows.replace(/<span class="name">.*?<\/a>/s, "</a>") }),
    (page) => ({ ...page, head: `${page.head}<style>.name{text-transform:uppercase}</style>` }),
    (page) => ({ ...page, rows: "" }),
    (page) => ({
      ...page,
      next: page.next.replace("<a ", "<a onclick='location = \"?page=9\"; return false' "),
    }),
    (page) => ({ ...page, next: page.next.replace("<a ", "<a style='display:none' ") }),
    (page) => ({ ...page, next: page.next.replace(/page=\d+/, "page=1") }),
  ]);
  const failing = pick([0, 0, 0, 404]);
  return {
    css,
    pages: 3 + Math.floor(random() * 12),
    html(page: ListedPage) {
      const from = page.number * 3 - 2;
      const card = (n: number) =>
        `<li class="card"><a href="p/${n}"><span class="name">${name(n)}</span></a></li>`;
      const rows = page.rows && [from, from + 1, from + 2].map(card).join("\n");
      const shown = { ...page, rows };
      return plainPage(page.number === odd ? change(shown) : shown).replace(
        "</body>",
        script && `<script>${script}</script></body>`,
      );
    },
    serve(page: ListedPage, _: unknown, response: ServerResponse) {
      if (page.number !== odd || failing !== 404) return false;
      sendHtml(response, "Gone", failing);
      return true;
    },
  };
}

/* Some of them end in a page that is not found, or where the list is missing: then both runs fail alike. */
test.each(seeds)("the random list %i", async (seed) => {
  const page = numbered(randomList(seed));
  const told = [];
  for (const engineName of ["browser", "auto"] as const) {
    servePage(site, page);
    const { rows, warnings, loads, failure } = await engine.run(jobAt(site, { ...page, engine: engineName }));
    told.push({ rows, warnings, loads, failure: failure?.message });
  }
  expect(told[1]).toEqual(told[0]);
});
