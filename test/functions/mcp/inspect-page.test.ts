import { afterEach, beforeEach, describe, expect, jest, test } from "@jest/globals";
import { exampleInspection } from "../../../functions/contract/examples.ts";
import type { Inspection } from "../../../functions/contract/inspections/inspection.ts";
import type { ScraperDefinition } from "../../../functions/contract/scrapers/scraper.ts";
import type { CallApi } from "../../../functions/mcp/api-client.ts";
import { inspectPage } from "../../../functions/mcp/tools/inspect-page.ts";

/* Which pagination the draft of a page gets. */

beforeEach(() => {
  jest.useFakeTimers({ now: 0 });
});
afterEach(() => {
  jest.useRealTimers();
});

const next = { type: "next_button", field_name: "Next" } as const;
const numbered = { type: "url_template", url: "https://books.example.com/?page={page}" } as const;
const [list] = exampleInspection.lists ?? [];
const page: Inspection = {
  ...exampleInspection,
  lists: list ? [list, { ...list, selector: ".other" }] : null,
  pagination: [next, numbered].map((pagination) => ({ pagination, score: 50, is_sure: false })),
};
const pagesOf = (...newRows: number[]) => newRows.map((new_rows) => ({ url: null, rows: 9, new_rows }));

/** What the tool answers if the pages of each pagination have so many new rows, and an inspection takes so long. */
async function inspected(
  newRows: Record<string, number[]>,
  { ms = 0, list = undefined as number | undefined } = {},
) {
  const tried: { pagination: string; pages: number; selector: string | undefined }[] = [];
  const call: CallApi = async (_, { body } = {}) => {
    jest.setSystemTime(Date.now() + ms);
    const { definition, pages } = body as { definition?: ScraperDefinition; pages?: number };
    if (definition === undefined) return Response.json(page);
    const { type } = definition.pagination;
    const step = definition.steps.at(-1);
    const selector = step?.type === "get_list" ? step.selector : undefined;
    tried.push({ pagination: type, pages: pages ?? 1, selector });
    return Response.json({ ...page, pages: pagesOf(...(newRows[type] ?? [9])) });
  };
  const { summary, data = "" } = await inspectPage.run(call, {
    url: "https://books.example.com",
    steps: [],
    list,
  });
  return { tried, summary, draft: JSON.parse(data).draft as ScraperDefinition };
}

describe("the paginations of the page are tried for the draft", () => {
  test("and the first that brings new rows is chosen", async () => {
    const { tried, draft, summary } = await inspected({ next_button: [9, 0], url_template: [9, 8, 9] });
    expect(tried.map(({ pagination, pages }) => [pagination, pages])).toEqual([
      ["next_button", 2],
      ["url_template", 3],
    ]);
    expect(draft.pagination).toEqual(numbered);
    expect(summary).toContain("The pagination of the draft was tried: page 2 brought 8 new rows.");
  });

  test("with the list that the caller has chosen", async () => {
    const { tried, draft } = await inspected({ next_button: [9, 9] }, { list: 2 });
    expect(tried.map(({ selector }) => selector)).toEqual([".other"]);
    expect(draft.pagination).toEqual(next);
  });

  test("and if none does, the draft has none", async () => {
    const { tried, draft, summary } = await inspected({});
    expect(tried.map(({ pagination }) => pagination)).toEqual([
      "next_button",
      "url_template",
      "infinite_scroll",
    ]);
    expect(draft.pagination).toEqual({ type: "none" });
    expect(summary).toContain("No pagination brought new rows, so the draft reads one page.");
  });

  test("as long as the client waits", async () => {
    const { tried, draft, summary } = await inspected({ url_template: [9, 9, 9] }, { ms: 20_000 });
    expect(tried.map(({ pagination }) => pagination)).toEqual(["next_button"]);
    expect(draft.pagination).toEqual({ type: "none" });
    expect(summary).toContain("The page is too slow to try all its paginations");
  });
});

test("JSON with the rows of a list is offered beside its elements, with where they differ", async () => {
  const kinds = { kind: "text" as const, filled: 1, distinct: 9, samples: ["a"] };
  const json = { source: "#data", path: "$.books[*]" };
  const from_json = {
    ...{ type: "get_list" as const, json, count: 24, matched: 20, sample_rows: [] },
    fields: [{ name: "isbn", path: "$.isbn", ...kinds }],
    differences: [{ field: "price", rows: 2, shown: "£9", in_json: "9.5" }],
  };
  const lists = page.lists?.map((each) => ({ ...each, from_json })) ?? [];
  const call: CallApi = async () => Response.json({ ...page, lists, pages: pagesOf(9, 9) });
  const { summary, data = "" } = await inspectPage.run(call, { url: "https://books.example.com", steps: [] });
  expect(summary).toContain("A list with `from_json` is also in JSON");
  const [shown] = JSON.parse(data).lists;
  expect(shown.from_json).toEqual({
    ...{ rows: 24, matched: 20, json, differences: from_json.differences },
    fields: [{ name: "isbn", path: "$.isbn", kind: "text", filled: 1, samples: ["a"] }],
  });
});

test.each([
  ["has a control that signs out", "Sign out", { name: "shop", check: { text: "Sign out" } }],
  ["shows none", "Home", undefined],
])("a draft that begins with a session has it, too, if the page %s", async (_, text, session) => {
  const map = { elements: [[-1, "a", 0, 0, 9, 9, text, 1, 0]], handles: [] };
  const asked: unknown[] = [];
  const call: CallApi = async (_, { body } = {}) => {
    asked.push(body);
    return Response.json({ ...page, map, pages: pagesOf(9, 9) });
  };
  const { data = "" } = await inspectPage.run(call, {
    ...{ url: "https://books.example.com", steps: [] },
    session: "shop",
  });
  expect(asked).toMatchObject([{ session: "shop" }, { session: "shop" }]);
  expect(JSON.parse(data).draft.session).toEqual(session);
});
