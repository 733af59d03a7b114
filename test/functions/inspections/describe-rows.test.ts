import { expect, test } from "@jest/globals";
import type { Step } from "../../../functions/contract/steps/steps.ts";
import { fieldsOf, mixedFields } from "../../../functions/inspections/describe-rows.ts";
import { transformRows } from "../../../functions/values/transform-rows.ts";

const steps: Step[] = [
  { type: "visit", url: "https://jobs.example.com/" },
  {
    type: "get_list",
    selector: ".job",
    fields: [
      { name: "pay", selector: "div:nth-of-type(2)" },
      { name: "title", selector: "h3" },
    ],
  },
];

test("a field with prices in some rows and other texts in others gets a warning", () => {
  const rows = ["€46k", "Full-time", "€50k", "Hybrid"].map((pay, at) => ({ pay, title: `Job ${at}` }));
  expect(mixedFields(steps, rows)).toEqual([
    {
      code: "field_mixed",
      message: expect.stringMatching(/^The field pay has a price .*"€46k" and "Full-time"/),
      step: null,
    },
  ]);
  expect(mixedFields(steps, [{ title: "Job" }, { pay: "€46k", title: "Job" }])).toEqual([]);
});

test("a field with transforms tells what they made of its values, those first that they did not read", () => {
  const rows = ["12.50 €", "n/a", "", "1,234 €", "n/a"].map((pay) => ({ pay, title: "Job" }));
  const { rows: changed, samples } = transformRows(rows, [["pay", [{ type: "number" }]]], "en");
  const [pay, title] = fieldsOf(steps, changed, [samples, samples]);
  expect(title).not.toHaveProperty("transformed");
  expect(pay?.transformed).toEqual([
    { text: "n/a", refused: "has no number" },
    { text: "12.50 €", value: "12.50" },
    { text: "", value: "" },
    { text: "1,234 €", value: "1234" },
  ]);
});
