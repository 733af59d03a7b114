import { expect, test } from "@jest/globals";
import type { StepOf } from "../../../../functions/contract/steps/steps.ts";
import { declaredSize } from "../../../../functions/scraping/lists/size-check.ts";
import { PageChanged } from "../../../../functions/scraping/page/page-failures.ts";
import type { Session } from "../../../../functions/scraping/session.ts";
import { CallTimeout } from "../../../../functions/scraping/time-limit.ts";
import { createWarnings } from "../../../../functions/scraping/warnings.ts";

const step: StepOf<"get_list"> = { type: "get_list", selector: "li", fields: [{ name: "name" }] };

test.each([
  ["does not respond in time", new CallTimeout("late"), ["rows_may_be_missing"]],
  ["has gone on to another document", new PageChanged("gone"), []],
])("a page that %s after its list was read", async (_, error, codes) => {
  const warnings = createWarnings();
  const tab = { page: { url: () => "http://site.example/" }, call: () => Promise.reject(error) };
  const session = { tab, budget: { cut: (ms: number) => ms }, warnings } as unknown as Session;
  expect(
    await declaredSize({ session, list: { step, index: 1, pagination: { type: "none" } } }),
  ).toBeUndefined();
  expect(warnings.all().map(({ code }) => code)).toEqual(codes);
});
