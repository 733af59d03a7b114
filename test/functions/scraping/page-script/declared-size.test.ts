import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import type { LeasedBrowser } from "../../../../functions/scraping/browser/leased-browser.ts";
import { cards } from "../../../pages/page.ts";
import { type Engine, startEngine } from "../harness.ts";

/** What a page says about the size of its list, and about errors while loading it. */
let engine: Engine;
let leased: LeasedBrowser;
beforeAll(async () => {
  engine = await startEngine([]);
  leased = await engine.browsers.lease();
});
afterAll(async () => {
  await leased.close();
  await engine.close();
});

async function declared(html: string) {
  const { tab } = leased;
  await tab.page.setContent(html);
  // What one test shows has passed in the next: all of them write into one document.
  const { passedError: _, ...size } = await tab.call(
    "declaredSize",
    { selector: ".card" },
    { timeout: 30_000 },
  );
  return size;
}

const list = `<ul>${cards(1, 3)}</ul>`;
const none = {
  rows: 0,
  missingColumns: 0,
  range: null,
  pages: null,
  moreButton: null,
  loadError: null,
  noResults: null,
  areSlides: false,
  boxes: 0,
};

describe("a text beside the list tells", () => {
  test.each([
    ["<p>Showing 1 to 3 of 57 entries</p>", { range: { from: 1, to: 3, total: 57 } }],
    ["<div><span>1</span>–<span>3</span> of <b>1,057</b></div>", { range: { from: 1, to: 3, total: 1_057 } }],
    ["<p>Displaying 3 of 57 lamps</p>", { range: { from: 1, to: 3, total: 57 } }],
    ["<footer>1-3 von 57</footer>", { range: { from: 1, to: 3, total: 57 } }],
    ["<p>1–3 of 3, page 1 of 7</p>", { range: { from: 1, to: 3, total: 3 }, pages: { page: 1, total: 7 } }],
    ["<p>Page 1 of 7</p>", { pages: { page: 1, total: 7 } }],
    ["<p>Pages: <a>First</a> <a>1</a> <a>2</a> <a>Last</a> 1 of 7</p>", { pages: { page: 1, total: 7 } }],
    ["<p>Chapter 1-2 of 9</p>", {}],
    ["<p>Sorry, no lamps found.</p>", { noResults: { said: "Sorry, no lamps found.", isOfSearch: false } }],
    ["<aside>No lamps found</aside><p hidden>No lamps found</p>", {}],
    ["<p hidden>1–3 of 57</p>", {}],
    ["<p hidden>1–3 of 57</p><p>1–3 of 3</p>", { range: { from: 1, to: 3, total: 3 } }],
    ["<p>Something went wrong. <button>Try again</button></p>", { loadError: "Try again" }],
    ["<div>Unable to load more lamps</div>", { loadError: "Unable to load more lamps" }],
    ["<p>Something went wrong? Contact us.</p>", {}],
    ["<p><button>Retry</button></p>", { loadError: "Retry" }],
    ["<p>Es ist ein Fehler aufgetreten.</p>", { loadError: "Es ist ein Fehler aufgetreten." }],
    ["<p><i hidden>Try again</i></p>", {}],
    [`<p>${"If the lamp does not shine, turn it off and on, and then try again. ".repeat(4)}</p>`, {}],
  ])("%s", async (text, expected) => {
    expect(await declared(list + text)).toEqual({ ...none, ...expected });
    expect(await declared(`<div>${text}</div><div>${list}</div>`)).toEqual({ ...none, ...expected });
  });

  test.each([
    [`<p>No results for “Red Lamp”</p>${list}`, true],
    [`<p>No results for “Red Lamps”</p>${list}`, false],
    [`<p>No red lamp found</p>${list}`, false],
    [`${list}<p>No results for “Red Lamp”</p>`, false],
    [`<div><p>${"Read our news. ".repeat(30)}</p><b>No results for “Red Lamp”</b></div>${list}`, true],
  ])(
    "that a search had no results, if it names what was searched for before the list: %s",
    async (html, isOfSearch) => {
      const { noResults } = await declared(`<input value="red  lamp">${html}`);
      expect(noResults).toMatchObject({ isOfSearch });
    },
  );

  test("a text in a row does not", async () => {
    expect(
      await declared(`<ul>${cards(1, 2, (n) => `Try again, no results: 1–2 of ${n + 10} lamps`)}</ul>`),
    ).toEqual(none);
  });
});

describe("a table's attributes tell", () => {
  const rows = "<tr class=card><td>Lamp</td></tr>".repeat(3);

  test.each([
    [401, 400],
    [4, 3],
    [-1, 0],
  ])("rows: aria-rowcount=%i is %i rows beside the headers", async (count, expected) => {
    const head = "<thead><tr><th>Name</th></tr></thead>";
    const size = await declared(`<table aria-rowcount=${count}>${head}<tbody>${rows}</tbody></table>`);
    expect(size).toEqual({ ...none, rows: expected });
  });

  test.each([
    ["<div role=row class=card><b role=gridcell>Lamp</b></div>", 4],
    ["<div role=row class=card><b aria-colindex=1>1</b><b aria-colindex=2>2</b></div>", 3],
  ])("columns that it does not show: %s", async (row, missingColumns) => {
    const size = await declared(`<div role=grid aria-colcount=5>${row.repeat(3)}</div>`);
    expect(size).toEqual({ ...none, missingColumns });
  });
});
