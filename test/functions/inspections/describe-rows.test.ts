import { expect, test } from "@jest/globals";
import type { Step } from "../../../functions/contract/steps.ts";
import { mixedFields } from "../../../functions/inspections/describe-rows.ts";

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
