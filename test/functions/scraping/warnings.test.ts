import { expect, test } from "@jest/globals";
import { createWarnings } from "../../../functions/scraping/warnings.ts";

test("warnings are merged by code, step and field, and stay small", () => {
  const warnings = createWarnings([{ code: "field_empty", message: "First.", step: 1, count: 2 }]);
  warnings.add({ code: "field_empty", message: "Second.", step: 1, count: 3 });
  expect(warnings.isChanged).toBe(true);
  expect(warnings.all()).toEqual([{ code: "field_empty", message: "First.", step: 1, count: 5 }]);
  expect(warnings.isChanged).toBe(false);
  for (let step = 0; step < 200; step += 1)
    warnings.add({ code: "field_empty", message: "é".repeat(10_000), step, field: "price" });
  expect(Buffer.byteLength(JSON.stringify(warnings.all()))).toBeLessThanOrEqual(20_000);
});
