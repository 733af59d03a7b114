import { expect, test } from "@jest/globals";
import type { Step } from "../../../../functions/contract/steps.ts";
import { startEngineAndSite } from "../engine-and-site.ts";
import { browserProcesses } from "../harness.ts";

const { engine, site } = await startEngineAndSite({ ownBrowsers: true });

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
const run = (path: string, ...steps: Step[]) =>
  engine.run({ steps: [{ type: "visit", url: site.url(path) }, ...steps] });
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
  const [told, other] = await Promise.all([run("/regex", step), run("/regex", list(".item"))]);
  // The step's time-out, and not the run's: that one is named otherwise.
  expect(told.failure).toMatchObject({
    code: "timeout",
    step: 1,
    message: expect.stringContaining("give the step more timeout_ms"),
  });
  expect(other.rows).toEqual([{ name: "One" }, { name: "Two" }]);
  expect(await browserProcesses()).toEqual([]);
});

test.each([
  ["an XPath that counts all for each of all", "//*[count(//*[count(//*[count(//*)>1])>1])>1]"],
  ["a chain of hundreds of selectors", `${"div >> ".repeat(280)}.item`],
])("%s ends by the step's time-out", async (_, selector) => {
  site.setRoute("/deep", nested(items));
  expect((await run("/deep", list(selector))).failure).toMatchObject({ code: "timeout", step: 1 });
});

test.each([
  ["nested too deep for the browser", "div:has(div:has(div:has(.item)))"],
  ["that is not closed", "p[".repeat(900)],
  ["of a kind that does not exist", "bomb=1 >> p"],
])("a selector %s can't be read", async (_, selector) => {
  site.setRoute("/few", items);
  expect((await run("/few", list(selector))).failure).toMatchObject({ code: "invalid_step", step: 1 });
});

test.each(["next_button", "load_more", "infinite_scroll"] as const)(
  "a selector of %s that can't be read is named, and keeps the rows that were there",
  async (type) => {
    site.setRoute("/still", `${items}<a href="/few">Next</a>`);
    site.setRoute("/scripted", `${items}<a href="/few">Next</a><script></script>`);
    for (const path of ["/still", "/scripted"]) {
      for (const selector of ["a[[", "xpath=//a[", "nav >> a[["]) {
        const told = await engine.run({
          steps: [{ type: "visit", url: site.url(path) }, list(".item")],
          pagination: { type, selector },
        });
        expect(told.failure).toMatchObject({ code: "invalid_step", step: 1 });
        expect(told.failure?.message.startsWith(`${selector} is no selector`)).toBe(true);
        expect(told.rows).toEqual([{ name: "One" }, { name: "Two" }]);
      }
    }
  },
);

test.each(["b[", "xpath=.//b[", "b >> i[["])(
  "a field's selector %s that can't be read is named",
  async (selector) => {
    site.setRoute("/few", items);
    const { failure } = await run("/few", list(".item", selector));
    expect(failure).toMatchObject({ code: "invalid_step", step: 1 });
    expect(failure?.message.startsWith(`${selector} is no selector`)).toBe(true);
  },
);

test.each(["xpath=.//a/@href", "xpath=.//a/text()"])(
  "%s, which selects no elements, is told so",
  async (selector) => {
    site.setRoute("/links", '<p class="item"><a href="/one">One</a></p>');
    const { failure } = await run("/links", list(".item", selector));
    expect(failure).toMatchObject({ code: "invalid_step", step: 1 });
    expect(failure?.message).toContain(`${selector} selects attributes or texts, and no elements`);
  },
);

test("a list of 1,000,000 elements, and one of 1,000 fields a row", async () => {
  site.setRoute("/million", `<script>document.write('<p class="item">x</p>'.repeat(1e6))</script>`);
  const patient = { ...list(".item"), timeout_ms: 30_000 } as Step;
  const steps: Step[] = [{ type: "visit", url: site.url("/million") }, patient];
  expect((await engine.run({ steps, rowsLimit: 1_000_000 })).rows).toHaveLength(1_000_000);

  const names = Array.from({ length: 1_000 }, (_, n) => `f${n}`);
  const row = names.map((name) => `<i class=${name}>${name}</i>`).join("");
  site.setRoute("/wide", `<div class=item>${row}</div>`.repeat(20));
  const fields = names.map((name) => ({ name, selector: `.${name}` }));
  const told = await run("/wide", { type: "get_list", selector: ".item", fields });
  expect(told.rows).toHaveLength(20);
  expect(told.rows.at(-1)).toEqual(Object.fromEntries(names.map((name) => [name, name])));
}, 60_000);
