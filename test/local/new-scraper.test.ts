import { describe, expect, test } from "@jest/globals";
import { exampleInspection } from "../../functions/contract/examples.ts";
import type { Inspection, InspectionRequest } from "../../functions/contract/inspections/inspection.ts";
import { ScraperDefinition } from "../../functions/contract/scrapers/scraper.ts";
import { validate } from "../../functions/contract/validate.ts";
import { problemsOf } from "../../local/inspections/check-report.ts";
import { newScraper } from "../../local/inspections/new-scraper.ts";

const URL_OF_LIST = "https://books.example.com/fiction";
const page = (rows: number, new_rows = rows) => ({ url: null, rows, new_rows });
const proof = (...pages: Inspection["pages"]): Inspection => ({ ...exampleInspection, rows: [], pages });
const failure: Inspection = {
  ...exampleInspection,
  ok: false,
  error: { code: "element_not_found", message: "There is no such element.", step: 1 },
};

/** Answers requests one after the other, and keeps them. */
function answers(...inspections: Inspection[]) {
  const requests: Partial<InspectionRequest>[] = [];
  const inspect = async (request: Partial<InspectionRequest>) => {
    requests.push(request);
    const next = inspections.shift();
    if (!next) throw new Error("There was one request too many");
    return next;
  };
  return { requests, inspect };
}
const choosing =
  (number: number, isJson = false) =>
  async <T>(lists: readonly T[]) => {
    const list = lists[number - 1];
    return list && { list, isJson };
  };
const first = choosing(1);

describe("a new scraper", () => {
  test("reads the chosen list, and goes on as two pages have proved", async () => {
    const { inspect, requests } = answers(exampleInspection, proof(page(24), page(24)));
    const made = await newScraper({ url: URL_OF_LIST, inspect, choose: first });
    if (made.outcome !== "drafted") throw new Error(made.outcome);
    expect(made.rejected).toEqual([]);
    expect(validate(ScraperDefinition, made.definition)).toMatchObject({
      name: "Fiction",
      steps: [
        { type: "visit", url: URL_OF_LIST },
        {
          type: "get_list",
          selector: ".book-card",
          fields: [
            { name: "title", selector: "h2" },
            { name: "price", selector: ".price" },
          ],
        },
      ],
      pagination: { type: "next_button", field_name: "Next" },
    });
    expect(requests[1]).toMatchObject({ definition: made.definition, pages: 2 });
  });

  test("of another list of the page has another name", async () => {
    const lists = exampleInspection.lists?.flatMap((list) => [list, { ...list, selector: ".other" }]) ?? [];
    const { inspect } = answers({ ...exampleInspection, lists }, proof(page(24), page(24)));
    const made = await newScraper({ url: URL_OF_LIST, inspect, choose: choosing(2) });
    expect(made).toMatchObject({ definition: { name: "Fiction, list 2" } });
  });

  test("reads the JSON that the page carries, if that is chosen", async () => {
    const samples = { kind: "text" as const, filled: 1, distinct: 2, samples: [] };
    const from_json: NonNullable<NonNullable<Inspection["lists"]>[number]["from_json"]> = {
      type: "get_list",
      json: { source: "#data", path: "$.books[*]" },
      count: 2,
      matched: 2,
      fields: [
        { name: "title", path: "$.title", ...samples },
        { name: "tags", path: "$.tags[*]", all: true, ...samples },
      ],
      sample_rows: [],
      differences: [],
    };
    const lists = exampleInspection.lists?.map((list) => ({ ...list, from_json })) ?? [];
    const { inspect } = answers({ ...exampleInspection, lists }, proof(page(24), page(24)));
    const made = await newScraper({ url: URL_OF_LIST, inspect, choose: choosing(1, true) });
    if (made.outcome !== "drafted") throw new Error(made.outcome);
    expect(validate(ScraperDefinition, made.definition).steps[1]).toEqual({
      type: "get_list",
      json: { source: "#data", path: "$.books[*]" },
      fields: [
        { name: "title", path: "$.title" },
        { name: "tags", path: "$.tags[*]", all: true },
      ],
    });
  });

  const withTexts = (...texts: string[]): Inspection => ({
    ...exampleInspection,
    map: { elements: texts.map((text, ref) => [-1, "a", 0, 0, 9, 9, text, 1, ref]), handles: [] },
  });

  test.each([
    ["a control that signs out", undefined, withTexts("Home", " Abmelden "), { text: "Abmelden" }],
    ["what the user says", { text: "My orders" }, exampleInspection, { text: "My orders" }],
  ])("begins with a session, whose check is %s", async (_, check, seen, found) => {
    const { inspect, requests } = answers(seen, proof(page(24), page(24)));
    const session = { name: "shop", ...(check && { check }) };
    const made = await newScraper({ url: URL_OF_LIST, session, inspect, choose: first });
    expect(made).toMatchObject({ definition: { session: { name: "shop", check: found } } });
    expect(requests).toMatchObject([
      {
        url: URL_OF_LIST,
        session: "shop",
        want: check ? ["lists", "pagination"] : expect.arrayContaining(["map"]),
      },
      { definition: { session: { name: "shop", check: found } } },
    ]);
  });

  test("is not made with a session that nothing on the page shows to be signed in", async () => {
    const { inspect } = answers(withTexts("Home", "How to sign out of a lease"));
    const made = await newScraper({ url: URL_OF_LIST, session: { name: "shop" }, inspect, choose: first });
    expect(made).toEqual({ outcome: "no_check" });
  });

  test("closes a banner of consent first", async () => {
    const consent = { type: "click", field_name: "Reject all", optional: true } as const;
    const { inspect } = answers({ ...exampleInspection, consent }, proof(page(24), page(24)));
    const made = await newScraper({ url: URL_OF_LIST, inspect, choose: first });
    expect(made).toMatchObject({ definition: { steps: [{ type: "visit" }, consent, { type: "get_list" }] } });
  });

  test.each([
    ["brings the same rows again", proof(page(24), page(24, 0))],
    ["does not come", proof(page(24))],
    ["fails", failure],
  ])("has one page where the second one %s", async (_, second) => {
    const { inspect } = answers(exampleInspection, second, second, proof(page(24)));
    const made = await newScraper({ url: URL_OF_LIST, inspect, choose: first });
    expect(made).toMatchObject({
      outcome: "drafted",
      definition: { pagination: { type: "none" } },
      rejected: [
        { pagination: { type: "next_button" }, proof: second },
        { pagination: { type: "infinite_scroll" }, proof: second },
      ],
    });
  });

  test("goes on by scrolling where no control does", async () => {
    const { inspect } = answers({ ...exampleInspection, pagination: [] }, proof(page(24), page(24)));
    const made = await newScraper({ url: URL_OF_LIST, inspect, choose: first });
    expect(made).toMatchObject({ definition: { pagination: { type: "infinite_scroll" } }, rejected: [] });
  });

  test("is not made of a page that fails, that has no list, or of which none is chosen", async () => {
    const outcomeOf = async (inspection: Inspection, choose: typeof first = first) =>
      (await newScraper({ url: URL_OF_LIST, inspect: answers(inspection).inspect, choose })).outcome;
    expect(await outcomeOf(failure)).toBe("failed");
    expect(await outcomeOf({ ...exampleInspection, lists: [] })).toBe("no_list");
    expect(await outcomeOf(exampleInspection, async () => undefined)).toBe("none_chosen");
  });
});

describe("what is wrong with a scraper", () => {
  const samples = ["Dune", "Emma"];
  const field: Inspection["fields"][number] = {
    name: "title",
    kind: "text",
    filled: 0.5,
    distinct: 2,
    samples,
  };

  test("is nothing where rows came, fields have values and page 2 is new", () => {
    expect(problemsOf({ ...proof(page(2), page(2)), fields: [field] }, 2)).toEqual([]);
    expect(problemsOf({ ...proof(page(2)), fields: [field] }, 1)).toEqual([]);
  });

  test.each([
    ["a step that fails", failure, 1, "It failed at step 2: There is no such element."],
    [
      "a field that no row has",
      { ...proof(page(2)), fields: [{ ...field, filled: 0 }] },
      1,
      "No row has a value for the field title. Check its selector.",
    ],
    [
      "a second page without new rows",
      proof(page(2), page(2, 0)),
      2,
      "Page 2 has the same rows as the pages before. Check the pagination.",
    ],
    [
      "no second page",
      proof(page(2)),
      2,
      "There was no second page. Check the pagination, unless the list has one page.",
    ],
    ["a third page without new rows", proof(page(2), page(2), page(2, 0)), 3, /^Page 3 has the same rows/],
    ["no rows", proof(), 2, /^No rows were read/],
  ])("is %s", (_, inspection, pages, problem) => {
    const [found, ...others] = problemsOf(inspection, pages);
    expect(others).toEqual([]);
    if (typeof problem === "string") expect(found).toBe(problem);
    else expect(found).toMatch(problem);
  });
});
