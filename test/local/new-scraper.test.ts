import { describe, expect, test } from "@jest/globals";
import { exampleInspection } from "../../functions/contract/examples.ts";
import type { Inspection, InspectionRequest } from "../../functions/contract/inspection.ts";
import { ScraperDefinition } from "../../functions/contract/scraper.ts";
import { validate } from "../../functions/contract/validate.ts";
import { checkReport } from "../../local/inspections/check-report.ts";
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
const first = async <T>(lists: readonly T[]) => lists[0];

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
    const { inspect } = answers(exampleInspection, second, proof(page(24)));
    const made = await newScraper({ url: URL_OF_LIST, inspect, choose: first });
    expect(made).toMatchObject({
      outcome: "drafted",
      definition: { pagination: { type: "none" } },
      rejected: [{ type: "next_button" }],
    });
  });

  test("is not made of a page that fails, that has no list, or of which none is chosen", async () => {
    const outcomeOf = async (inspection: Inspection, choose: typeof first = first) =>
      (await newScraper({ url: URL_OF_LIST, inspect: answers(inspection).inspect, choose })).outcome;
    expect(await outcomeOf(failure)).toBe("failed");
    expect(await outcomeOf({ ...exampleInspection, lists: [] })).toBe("no_list");
    expect(await outcomeOf(exampleInspection, async () => undefined)).toBe("none_chosen");
  });
});

describe("the report of a check", () => {
  const samples = ["Dune", "Emma"];
  const field: Inspection["fields"][number] = {
    name: "title",
    kind: "text",
    filled: 0.5,
    distinct: 2,
    samples,
  };

  test("says what each step took, what each field has, and what page 2 brought", () => {
    const inspection: Inspection = { ...proof(page(2), page(2)), rows: [{}, {}, {}, {}], fields: [field] };
    expect(checkReport(inspection, 2)).toEqual({
      isGood: true,
      lines: [
        "Step 1, visit: 412 ms",
        "4 rows",
        'title: 50 % of the rows, text, such as "Dune", "Emma"',
        "Page 1: 2 rows, 2 of them new",
        "Page 2: 2 rows, 2 of them new",
      ],
    });
  });

  test.each([
    ["a step that fails", failure, 1, "Failed at step 2: There is no such element."],
    [
      "a field that no row has",
      { ...proof(page(2)), fields: [{ ...field, filled: 0 }] },
      1,
      "title: no row has a value",
    ],
    [
      "a second page without new rows",
      proof(page(2), page(2, 0)),
      2,
      "The second page brought no new rows. Check the pagination.",
    ],
  ])("is not good with %s, and says so", (_, inspection, pages, line) => {
    const report = checkReport(inspection, pages);
    expect(report.isGood).toBe(false);
    expect(report.lines).toContain(line);
  });
});
