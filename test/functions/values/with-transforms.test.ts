import { expect, test } from "@jest/globals";
import type { Row } from "../../../functions/contract/runs/run.ts";
import type { Step } from "../../../functions/contract/steps/steps.ts";
import type { Transform } from "../../../functions/contract/steps/transform.ts";
import { RunFailure } from "../../../functions/runs/failure.ts";
import type { Batch, Scrape, ScrapeJob } from "../../../functions/scraping/job.ts";
import { withTransforms } from "../../../functions/values/with-transforms.ts";

const field = (name: string, ...transform: Transform[]) => ({
  name,
  ...(transform.length > 0 && { transform }),
});
const list = (...fields: ReturnType<typeof field>[]): Step => ({ type: "get_list", selector: "li", fields });
const text = (name: string, ...transform: Transform[]): Step => ({
  type: "get_text",
  field_name: name,
  ...(transform.length > 0 && { transform }),
});
const number = (locale?: string): Transform => ({ type: "number", ...(locale && { locale }) });
const regex = (pattern: string): Transform => ({ type: "regex", pattern });

async function run(
  steps: Step[],
  batches: Omit<Batch, "checkpoint">[],
  from: Partial<ScrapeJob["from"]> = {},
  ms?: number,
) {
  const scrape: Scrape = async function* () {
    for (const batch of batches) yield { ...batch, checkpoint: {} };
    return "done";
  };
  const checkpoint = {};
  const job: ScrapeJob = {
    steps,
    pagination: { type: "none" },
    rowsLimit: 100,
    from: { checkpoint, rowCount: 0, ...from },
  };
  const context = { onPageLoad: () => {}, deadline: Number.POSITIVE_INFINITY };
  const given: Batch[] = [];
  for await (const batch of withTransforms(scrape, ms === undefined ? {} : { ms })(job, context))
    given.push(batch);
  return { rows: given.flatMap(({ rows }) => rows), warnings: given.at(-1)?.warnings };
}

const values = async (value: string, ...transform: Transform[]) => {
  const { rows, warnings = [] } = await run(
    [list(field("a", ...transform))],
    [{ rows: [{ a: value }], list: 0 }],
  );
  return [rows[0]?.a, warnings.length];
};

test("each transform changes the value that the one before it gave", async () => {
  expect(await values("Was 1.299,00 €, now 999,50 €", regex("now (.*)"), number("de"))).toEqual([
    "999.50",
    0,
  ]);
  expect(await values("  A \n B ", { type: "strip" }, { type: "lower" })).toEqual(["a b", 0]);
  expect(await values("http://a.example/B", { type: "absolute" }, { type: "lower" })).toEqual([
    "http://a.example/b",
    0,
  ]);
  expect(await values("no address", { type: "absolute" })).toEqual(["no address", 1]);
  expect(await values("a / b / c", { type: "split", separator: "/", part: 2 })).toEqual(["b", 0]);
  expect(await values("a / b / c", { type: "split", separator: "/", part: -1 })).toEqual(["c", 0]);
  expect(await values("a", { type: "split", separator: "/", part: 3 })).toEqual(["", 0]);
  expect(await values("3 March 2026", { type: "date" })).toEqual(["2026-03-03", 0]);
  expect(await values("", number())).toEqual(["", 0]);
});

test("a regex takes its group, or all that it matches; a group that matches nothing is empty", async () => {
  expect(await values("SKU: 12-B", regex("\\d+-\\w"))).toEqual(["12-B", 0]);
  expect(await values("12 in stock", regex("^(?:(\\d+) in stock)?"))).toEqual(["12", 0]);
  expect(await values("sold out", regex("^(?:(\\d+) in stock)?"))).toEqual(["", 0]);
  expect(await values("sold out", regex("(\\d+) in stock"))).toEqual(["sold out", 1]);
});

test("a value that is not read stays as it is, and the run warns with its count, also after a handover", async () => {
  const steps = [list(field("price", number()))];
  const rows = [{ price: "n/a" }, { price: "$5" }, {}, { price: "free" }] as Row[];
  const first = await run(steps, [{ rows, list: 0 }]);
  expect(first.rows).toEqual([{ price: "n/a" }, { price: "5" }, {}, { price: "free" }]);
  expect(first.warnings).toEqual([
    {
      code: "value_not_transformed",
      message: 'The transform of the field "price" did not change values: "n/a" has no number.',
      step: 0,
      field: "price",
      count: 2,
    },
  ]);
  const engine = { code: "field_empty", message: "Nothing.", step: 0, field: "b" };
  const later = await run(
    steps,
    [{ rows: [{ price: "x" }], list: 0, warnings: [...(first.warnings ?? []), engine] }],
    {
      warnings: first.warnings ?? [],
    },
  );
  expect(later.warnings?.map(({ code, count }) => [code, count])).toEqual([
    ["value_not_transformed", 3],
    ["field_empty", undefined],
  ]);
});

test("rows get the transforms of their own list, of its details and nested lists, and of the texts before it", async () => {
  const steps: Step[] = [
    text("shop", { type: "lower" }),
    list(field("price", number())),
    text("date", { type: "date" }),
    {
      type: "get_list",
      selector: "tr",
      fields: [field("url"), { name: "sizes", list: { selector: "i", fields: [field("size", number())] } }],
      details: { url_field: "url", fields: [field("price", { type: "lower" })] },
    },
  ];
  const row = { shop: "A", price: "B 1", date: "3 March 2026", size: "No. 4" };
  expect((await run(steps, [{ rows: [row], list: 1 }])).rows).toEqual([{ ...row, shop: "a", price: "1" }]);
  expect((await run(steps, [{ rows: [row], list: 3 }])).rows).toEqual([
    { shop: "a", price: "b 1", date: "2026-03-03", size: "4" },
  ]);
  expect((await run([text("a", number())], [{ rows: [{ a: "5 €" }] }])).rows).toEqual([{ a: "5" }]);
});

test("a job without transforms is left alone", async () => {
  const rows = [{ a: "1 €" }];
  expect(await run([list(field("a"))], [{ rows, list: 0 }])).toEqual({ rows, warnings: undefined });
});

test("a regex that takes too long fails the run, and blocks nothing", async () => {
  const slow = run(
    [list(field("a", regex("(?:a+)+$")))],
    [{ rows: [{ a: `${"a".repeat(50)}b` }], list: 0 }],
    {},
    100,
  );
  await expect(slow).rejects.toThrow(RunFailure);
  await expect(slow).rejects.toMatchObject({ code: "too_large", step: 0 });
});
