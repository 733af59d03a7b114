import { afterAll, expect, test } from "@jest/globals";
import type { Step } from "../../../../functions/contract/steps/steps.ts";
import { startEngineAndSite } from "../engine-and-site.ts";
import { browserProcesses, startEngine } from "../harness.ts";

// An XPath frees nothing until it is done: on a fast machine it would take all that a run may have before its time-out.
const options = { ownBrowsers: true, browserLimits: { memory: 6 * 1024 ** 3 } };
// What hangs never answers.
const { engine, site } = await startEngineAndSite({ ...options, answerMs: 300 });

/** For what answers, on a machine that the others keep busy. */
const others = await startEngine([site.host], { ...options, answerMs: 150_000 });
afterAll(() => others.close());

/** How long a run with a very large page may take: 40 s on a free machine. */
const LARGE_MS = 250_000;
/** Makes `(a+)+$` try 2^40 ways to match it. */
const BOMB = `${"a".repeat(40)}b`;
const REGEX = "text=/(a+)+$/";
const timeout_ms = 500;
const list = (selector: string, field?: string): Step => ({
  type: "get_list",
  selector,
  fields: [{ name: "name", selector: field }],
  timeout_ms,
});
const steps = (path: string, ...steps: Step[]): Step[] => [{ type: "visit", url: site.url(path) }, ...steps];
const run = (path: string, ...more: Step[]) => engine.run({ steps: steps(path, ...more) });
const items = '<p class="item">One</p><p class="item">Two</p>';
const nested = (inner: string) => `${"<div>".repeat(300)}${inner}${"</div>".repeat(300)}`;

test.each<[string, Step]>([
  ["of a list", list(REGEX)],
  ["of a field", list("body", REGEX)],
  ["of an optional click", { type: "click", selector: REGEX, timeout_ms, optional: true }],
  ["of a wait", { type: "wait", selector: REGEX, timeout_ms }],
  ["of a text", { type: "get_text", field_name: "x", selector: REGEX, timeout_ms }],
])("a catastrophic regular expression %s ends by the step's time-out", async (_, step) => {
  site.setRoute("/regex", `${items}<p>${BOMB}</p>`);
  const [told, other] = await Promise.all([
    run("/regex", step),
    others.run({ steps: steps("/regex", list(".item")) }),
  ]);
  // The step's time-out, and not the run's: that one is named otherwise.
  expect(told.failure).toMatchObject({
    code: "timeout",
    step: 1,
    message: expect.stringContaining("The step timed out"),
  });
  expect(other.rows).toEqual([{ name: "One" }, { name: "Two" }]);
  expect(await browserProcesses()).toEqual([]);
});

test.concurrent.each([
  ["an XPath that counts all for each of all", "//*[count(//*[count(//*[count(//*)>1])>1])>1]"],
  ["a chain of hundreds of selectors", `${"div >> ".repeat(280)}.item`],
])("%s ends by the step's time-out", async (_, selector) => {
  const path = site.newPath();
  site.setRoute(path, nested(items));
  expect((await run(path, list(selector))).failure).toMatchObject({ code: "timeout", step: 1 });
});

test(
  "a list of 1,000,000 elements, and one of 1,000 fields a row",
  async () => {
    site.setRoute("/million", `<script>document.write('<p class="item">x</p>'.repeat(1e6))</script>`);
    const patient = { ...list(".item"), timeout_ms: 100_000 } as Step;
    const job = { steps: steps("/million", patient), rowsLimit: 1_000_000 };
    const { rows } = await others.run(job, Date.now() + LARGE_MS);
    expect(rows).toHaveLength(1_000_000);

    const names = Array.from({ length: 1_000 }, (_, n) => `f${n}`);
    const row = names.map((name) => `<i class=${name}>${name}</i>`).join("");
    site.setRoute("/wide", `<div class=item>${row}</div>`.repeat(20));
    const fields = names.map((name) => ({ name, selector: `.${name}` }));
    const told = await others.run({
      steps: steps("/wide", { type: "get_list", selector: ".item", fields }),
    });
    expect(told.rows).toHaveLength(20);
    expect(told.rows.at(-1)).toEqual(Object.fromEntries(names.map((name) => [name, name])));
  },
  2 * LARGE_MS,
);
