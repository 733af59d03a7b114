import { afterEach, expect, jest, test } from "@jest/globals";
import { createBudget } from "../../../functions/scraping/budget.ts";

afterEach(() => void jest.restoreAllMocks());

const DAY = 24 * 3_600_000;

test.each([41, -41])(
  "a clock that is set by %i days changes neither the time left nor a timeout",
  async (days) => {
    const budget = createBudget(Date.now() + 60_000);
    const shown = Date.now;
    jest.spyOn(Date, "now").mockImplementation(() => shown() + days * DAY);
    expect(budget.remaining()).toBeGreaterThan(50_000);
    // Longer timeouts than 24.8 days overflow, and end at once.
    expect(budget.cut(50 * DAY)).toBeLessThanOrEqual(60_000);
  },
);
