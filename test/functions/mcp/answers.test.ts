import { describe, expect, test } from "@jest/globals";
import type { Inspection } from "../../../functions/contract/inspections/inspection.ts";
import { ANSWER_MAX, beginningOf, linesWithin, shortened, textsOf } from "../../../functions/mcp/answer.ts";
import type { CallApi } from "../../../functions/mcp/api-client.ts";
import { tools } from "../../../functions/mcp/mcp-server.ts";
import type { Tool } from "../../../functions/mcp/tool.ts";
import { checkScraper } from "../../../functions/mcp/tools/check-scraper.ts";
import { inspectPage } from "../../../functions/mcp/tools/inspect-page.ts";
import { getRun } from "../../../functions/mcp/tools/runs.ts";

/* The largest answers that the API can give. */

const LONG = "🦊 long ".repeat(400);

/** What a tool answers where the API answers with this. */
async function answerOf(tool: Tool, json: object, input: object): Promise<{ length: number; data: string }> {
  const call: CallApi = async () => Response.json(json);
  const answer = await tool.run(call, input);
  return { length: textsOf(answer).join("").length, data: answer.data ?? "" };
}

const field = (index: number, selector: string) => ({
  name: `field ${index}`,
  selector,
  kind: "text" as const,
  filled: 1,
  distinct: 3,
  samples: [LONG, LONG, LONG],
});
const inspection = (selector: string): Inspection => ({
  ok: true,
  error: { code: "element_not_found", message: LONG, step: 1 },
  steps: Array.from({ length: 200 }, (_, index) => ({ index, type: "click", ms: 1_000, url_after: LONG })),
  page: { url: `https://a.example/?${LONG}`, title: LONG, width: 1, height: 1, language: null },
  rows: Array.from({ length: 50 }, (_, row) =>
    Object.fromEntries(Array.from({ length: 60 }, (_, column) => [`field ${column}`, `${row} ${LONG}`])),
  ),
  fields: Array.from({ length: 1_000 }, (_, index) => field(index, selector)),
  lists: Array.from({ length: 5 }, () => ({
    type: "get_list" as const,
    selector,
    count: 9,
    score: 1,
    sample_rows: [{ "field 0": LONG }],
    fields: Array.from({ length: 20 }, (_, index) => field(index, selector)),
  })),
  pagination: [{ pagination: { type: "next_button", selector }, score: 1, is_sure: true }],
  forms: Array.from({ length: 40 }, () => ({
    kind: "other" as const,
    inputs: [{ ref: 4, step: "select_dropdown" as const, type: "select", options: [LONG, LONG] }],
  })),
  consent: null,
  map: null,
  screenshot: null,
  warnings: Array.from({ length: 30 }, () => ({ code: "field_empty", message: LONG, step: 1 })),
  pages: [{ url: `https://a.example/?${LONG}`, rows: 50, new_rows: 50 }],
  credits_used: 2,
  ms: 1,
});

describe("no answer is longer than its maximum", () => {
  test.each(["li", "li".repeat(150), "li".repeat(1_000)])("inspect_page", async (selector) => {
    // What an agent does not see here takes long to parse.
    const answer = { ...inspection(selector), fields: [], rows: [] };
    const { length, data } = await answerOf(inspectPage, answer, {
      url: "https://a.example",
      steps: [],
      screenshot: false,
    });
    expect(length).toBeLessThanOrEqual(ANSWER_MAX);
    expect(JSON.parse(data).omitted).toBeDefined();
  });

  test("check_scraper", async () => {
    const { length, data } = await answerOf(checkScraper, inspection("li"), {
      scraper_id: "x",
      pages: 2,
      rows: 50,
    });
    expect(length).toBeLessThanOrEqual(ANSWER_MAX);
    const [facts = "", count] = data.split("\n");
    expect(JSON.parse(facts).omitted).toMatch(/of 1000 fields$/);
    expect(count).toMatch(/^The first \d+ of 50 rows:$/);
  });

  test("get_run", async () => {
    const run = {
      id: "x",
      status: "failed",
      row_count: 0,
      // The size that a suggestion has at most.
      error: { code: "x", message: LONG, step: 0, suggestion: { selector: "a".repeat(4_900) } },
      warnings: Array.from({ length: 500 }, () => ({ code: "x", message: LONG, step: 0, field: LONG })),
    };
    const { length, data } = await answerOf(getRun, run, { run_id: "x" });
    expect(length).toBeLessThanOrEqual(ANSWER_MAX);
    expect(JSON.parse(data)).toMatchObject({
      omitted: "480 of 500 warnings",
      error: { suggestion: { selector: expect.any(String) } },
    });
  });
});

test.each(tools)("$name says that it only reads only if it sends nothing but GET", async (tool) => {
  const methods: string[] = [];
  const call: CallApi = async (_, { method = "GET" } = {}) => {
    methods.push(method);
    return Response.json({
      ...inspection("li"),
      fields: [],
      rows: [],
      data: [],
      next_page: null,
      changes: null,
    });
  };
  const input = { url: "https://a.example", steps: [], definition: { name: "A" }, run_id: "x" };
  await tool.run(call, input);
  const { readOnlyHint, destructiveHint } = tool.annotations;
  const onlyReads = methods.every((method) => method === "GET");
  expect(methods).not.toEqual([]);
  expect([readOnlyHint, destructiveHint ?? false]).toEqual([onlyReads, !onlyReads]);
});

test.each(tools)("$name needs more than the scope read unless it only reads", ({ scope, annotations }) => {
  expect(scope === "read").toBe(annotations.readOnlyHint === true);
});

test("texts are cut between characters", () => {
  expect(beginningOf("a🦊b", 2)).toBe("a");
  expect(beginningOf("a🦊b", 3)).toBe("a🦊");
  expect(beginningOf("a🦊b", 4)).toBe("a🦊b");
  expect(shortened("🦊🦊", 3)).toBe("🦊… (2 more characters)");
});

test("lines are taken while they fit, with their line feeds", () => {
  expect(linesWithin(["ab", "cd", "e"], 6)).toEqual(["ab", "cd"]);
  expect(linesWithin(["ab", "cd"], 99)).toEqual(["ab", "cd"]);
  expect(linesWithin(["abc"], 2)).toEqual([]);
});
