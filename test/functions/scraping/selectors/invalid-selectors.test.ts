import { expect, test } from "@jest/globals";
import type { Step } from "../../../../functions/contract/steps.ts";
import { startEngineAndSite } from "../engine-and-site.ts";

const { engine, site } = await startEngineAndSite();

const list = (selector: string, field?: string): Step => ({
  type: "get_list",
  selector,
  fields: [{ name: "name", selector: field }],
  timeout_ms: 500,
});
const run = (path: string, ...steps: Step[]) =>
  engine.run({ steps: [{ type: "visit", url: site.url(path) }, ...steps] });
const items = '<p class="item">One</p><p class="item">Two</p>';

test.concurrent.each([
  ["nested too deep for the browser", "div:has(div:has(div:has(.item)))"],
  ["that is not closed", "p[".repeat(900)],
  ["of a kind that does not exist", "bomb=1 >> p"],
])("a selector %s can't be read", async (_, selector) => {
  site.setRoute("/few", items);
  expect((await run("/few", list(selector))).failure).toMatchObject({ code: "invalid_step", step: 1 });
});

test.concurrent.each(["next_button", "load_more", "infinite_scroll"] as const)(
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
        expect(told.failure?.message.startsWith(`${selector} is not a valid selector`)).toBe(true);
        expect(told.rows).toEqual([{ name: "One" }, { name: "Two" }]);
      }
    }
  },
);

test.concurrent.each(["b[", "xpath=.//b[", "b >> i[["])(
  "a field's selector %s that can't be read is named",
  async (selector) => {
    site.setRoute("/few", items);
    const { failure } = await run("/few", list(".item", selector));
    expect(failure).toMatchObject({ code: "invalid_step", step: 1 });
    expect(failure?.message.startsWith(`${selector} is not a valid selector`)).toBe(true);
  },
);

test.concurrent.each(["xpath=.//a/@href", "xpath=.//a/text()"])(
  "%s, which selects no elements, is told so",
  async (selector) => {
    site.setRoute("/links", '<p class="item"><a href="/one">One</a></p>');
    const { failure } = await run("/links", list(".item", selector));
    expect(failure).toMatchObject({ code: "invalid_step", step: 1 });
    expect(failure?.message).toContain(`${selector} selects attributes or texts, not elements`);
  },
);
