import { describe, expect, test } from "@jest/globals";
import { exampleInspection } from "../../../functions/contract/examples.ts";
import type { Inspection } from "../../../functions/contract/inspections/inspection.ts";
import type { Pagination, ScraperDefinition } from "../../../functions/contract/scrapers/scraper.ts";
import { choosePagination, paginationsToTry } from "../../../functions/inspections/choose-pagination.ts";

const definition: Pick<ScraperDefinition, "steps"> = {
  steps: [
    { type: "visit", url: "https://books.example.com/fiction" },
    {
      type: "get_list",
      selector: ".book",
      fields: [
        { name: "shelf", selector: ".shelf" },
        { name: "title", selector: "h2" },
        { name: "url", selector: "a", attribute: "href" },
      ],
    },
  ],
};
const next: Pagination = { type: "next_button", field_name: "Next" };
const numbered: Pagination = { type: "url_template", url: "https://books.example.com/?page={page}" };
const more: Pagination = { type: "load_more", field_name: "Next" };
const book = (id: number) => ({
  shelf: `${Math.floor(id / 4)}`,
  title: `Book ${id % 4}`,
  url: `https://books.example.com/${id}`,
});

/** An inspection that has read pages with these books. */
function read(...pages: number[][]): Inspection {
  const seen = new Set<number>();
  return {
    ...exampleInspection,
    rows: pages.flat().map(book),
    pages: pages.map((ids) => {
      const before = seen.size;
      for (const id of ids) seen.add(id);
      return { url: null, rows: ids.length, new_rows: seen.size - before };
    }),
  };
}

/** Chooses a pagination; `answers` are the inspections of each of them. */
async function choose(paginations: Pagination[], ...answers: Inspection[]) {
  const asked: (Pagination | number | undefined)[][] = [];
  const chosen = await choosePagination(
    { ...definition, pagination: { type: "none" } as Pagination },
    paginations,
    async (tried, pages) => {
      asked.push([tried.pagination, pages]);
      return answers[asked.length - 1] as Inspection;
    },
  );
  return { asked, ...chosen };
}

describe("of the paginations of a page", () => {
  test("the first is chosen that brings new rows", async () => {
    const { definition: found, rejected, asked } = await choose([next, numbered], read([1, 2], [3, 4]));
    expect(found.pagination).toEqual(next);
    expect(rejected).toEqual([]);
    expect(asked).toEqual([[next, 2]]);
  });

  test("an address with a number is proved by two further pages", async () => {
    const clamped = read([1, 2], [3, 4], [3, 4]);
    const { definition: found, rejected, asked } = await choose([numbered, next], clamped, read([1], [2]));
    expect(asked).toEqual([
      [numbered, 3],
      [next, 2],
    ]);
    expect(found.pagination).toEqual(next);
    expect(rejected).toEqual([{ pagination: numbered, proof: clamped }]);
  });

  test("a control that adds rows to the page becomes load_more", async () => {
    const { definition: found, asked } = await choose(
      [next, numbered],
      read([1, 2], [1, 2, 3, 4]),
      read([1, 2], [3, 4]),
    );
    expect(asked).toEqual([
      [next, 2],
      [more, 2],
    ]);
    expect(found.pagination).toEqual(more);
    expect(found.steps[1]).not.toHaveProperty("key");
  });

  test("none is chosen if none brings new rows", async () => {
    const { definition: found, proof } = await choose([next], read([1, 2]));
    expect(found.pagination).toEqual({ type: "none" });
    expect(proof).toBeUndefined();
  });

  test("what is tried is what was found, then scrolling", () => {
    const proposal = { score: 50, is_sure: false };
    expect(paginationsToTry([{ ...proposal, pagination: next }])).toEqual([
      next,
      { type: "infinite_scroll" },
    ]);
    const scrolling: Pagination = { type: "infinite_scroll" };
    expect(paginationsToTry([{ ...proposal, pagination: scrolling }])).toEqual([scrolling]);
    expect(paginationsToTry(null)).toEqual([scrolling]);
  });
});

describe("rows that are on both pages", () => {
  test("get a key: the address, which differs from row to row", async () => {
    const { definition: found } = await choose([next], read([0, 1, 2, 3], [0, 4, 5, 6]));
    expect(found.steps[1]).toMatchObject({ key: ["url"] });
  });

  test("get no key if no field differs from row to row", async () => {
    const proof = read([0, 1, 2, 3], [0, 4, 5, 6]);
    const without = (proof.rows ?? []).map(({ url: _, ...row }) => row);
    const { definition: found } = await choose([next], { ...proof, rows: without });
    expect(found.steps[1]).not.toHaveProperty("key");
  });

  test("leave the key of the list as it is", async () => {
    const list = { ...definition.steps[1], key: ["title"] } as ScraperDefinition["steps"][number];
    const chosen = await choosePagination({ steps: [list] }, [next], async () => read([0, 1], [0, 2]));
    expect(chosen.definition.steps[0]).toMatchObject({ key: ["title"] });
  });
});
