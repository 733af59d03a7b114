import { expect, test } from "@jest/globals";
import { sendHtml } from "../../../site/site.ts";
import { startEngineAndSite } from "../engine-and-site.ts";
import { cards, numbers } from "../lists/card-site.ts";

/* Sites that count the pages of a visitor themselves: their "next" link has the same address on each page. */

const { engine, site } = await startEngineAndSite();
const PAGES = 8;

interface Counted {
  /** What the link to the next page adds to the list's address. */
  next: (page: number) => string;
  /** Whether the link leads back to the list's address. */
  redirects: boolean;
}

const openSite = ({ next, redirects }: Counted) => {
  const path = site.newPath();
  const pageOf = (cookie = "") => Number(/page=(\d+)/.exec(cookie)?.[1] ?? 1);
  const show = (page: number) =>
    `<!doctype html><ul>${cards(page * 3 - 2, page * 3)}</ul>${page < PAGES ? `<a class=next href="${path}${next(page)}">Next</a>` : ""}`;
  site.setRoute(path, (request, response) => {
    const { search } = new URL(request.url ?? "", site.origin);
    const last = pageOf(request.headers.cookie);
    const page = search === "" ? last : Math.min(PAGES, last + 1);
    if (search !== "") response.setHeader("set-cookie", `page=${page}; path=${path}`);
    if (search !== "" && redirects) response.writeHead(302, { location: path }).end();
    else sendHtml(response, show(page));
  });
  return (engineName: "browser" | "auto") =>
    engine.run({
      steps: [
        { type: "visit", url: site.url(path) },
        { type: "get_list", selector: ".card", fields: [{ name: "name" }] },
      ],
      pagination: { type: "next_button", selector: ".next" },
      engine: engineName,
    });
};

test.concurrent.each([
  ["redirects", { next: () => "?next", redirects: true }],
  ["answers", { next: () => "?next", redirects: false }],
] satisfies [string, Counted][])("are read in full where the link %s", async (_, counted) => {
  for (const engineName of ["browser", "auto"] as const) {
    const told = await openSite(counted)(engineName);
    expect(told).toMatchObject({ failure: undefined, warnings: [] });
    expect(told.rows.map(({ name }) => name)).toEqual(numbers(1, PAGES * 3));
  }
});

test.concurrent.each([
  ["redirects", { next: () => "?next&session=123", redirects: true }],
  ["answers", { next: () => "?next&session=123", redirects: false }],
] satisfies [string, Counted][])(
  "cause a warning where the link looks numbered, and %s",
  async (_, counted) => {
    const told = await openSite(counted)("auto");
    expect(told.rows.length).toBeLessThan(PAGES * 3);
    expect(told.warnings).toMatchObject([
      { code: "rows_may_be_missing", message: expect.stringContaining('Set "engine" to "browser"') },
    ]);
  },
);

test("addresses without numbers are read by HTTP once one has led to its page", async () => {
  const path = site.newPath();
  const names = [..."abcdefgh"];
  let opened = 0;
  site.setRoute(`${path}.css`, (_, response) => {
    opened += 1;
    response.writeHead(200, { "content-type": "text/css", "cache-control": "no-store" }).end();
  });
  for (const [index, name] of names.entries()) {
    const next = names[index + 1];
    const rows = cards(index * 3 + 1, index * 3 + 3);
    site.setRoute(
      `${path}/${name}`,
      `<!doctype html><link rel=stylesheet href="${path}.css"><ul>${rows}</ul>${next ? `<a class=next href="${path}/${next}">Next</a>` : ""}`,
    );
  }
  const told = await engine.run({
    steps: [
      { type: "visit", url: site.url(`${path}/a`) },
      { type: "get_list", selector: ".card", fields: [{ name: "name" }] },
    ],
    pagination: { type: "next_button", selector: ".next" },
    engine: "auto",
  });
  expect(told).toMatchObject({ failure: undefined, warnings: [] });
  expect(told.rows.map(({ name }) => name)).toEqual(numbers(1, names.length * 3));
  expect(opened).toBeLessThan(names.length);
});
