import { expect, test } from "@jest/globals";
import { tellsObstacle } from "../../../../functions/scraping/steps/action.ts";

const LATE = "locator.click: Timeout 2000ms exceeded.\nCall log:\n  - waiting for locator('a')";

test.each([
  ["something covers it", `${LATE}\n  - <div>…</div> intercepts pointer events`, true],
  ["it is hidden", `${LATE}\n  - element is not visible`, true],
  ["the browser was not done in time", `${LATE}\n  - performing click action`, false],
])("an element that can't be pressed because %s", (_, message, isObstacle) => {
  expect(tellsObstacle(new Error(message))).toBe(isObstacle);
});
