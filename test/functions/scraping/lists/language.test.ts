import { expect, test } from "@jest/globals";
import type { Step } from "../../../../functions/contract/steps/steps.ts";
import { withTransforms } from "../../../../functions/values/with-transforms.ts";
import { sendHtml } from "../../../site/site.ts";
import { startEngineAndSite } from "../engine-and-site.ts";

/* The language that a page states comes to the transforms of its rows. */

const { engine, site } = await startEngineAndSite({ wrap: (scrape) => withTransforms(scrape) });

const list: Step = {
  type: "get_list",
  selector: "li",
  fields: [{ name: "price", transform: [{ type: "number" }] }],
};
const prices = (...texts: string[]) => `<ul>${texts.map((text) => `<li>${text}</li>`).join("")}</ul>`;

/** A site of three pages, whose HTML begins with this. */
function pages(path: string, start: string): string {
  site.setRoute(path, (request, response) => {
    const page = Number(new URL(request.url ?? "", site.origin).searchParams.get("page") ?? 1);
    const next = page < 3 ? `<a rel="next" href="${path}?page=${page + 1}">Next</a>` : "";
    sendHtml(response, `<!doctype html>${start}${prices(`${page}.234 €`, `${page},50 €`)}${next}`);
  });
  return site.url(path);
}

const GERMAN = ["1234", "1.50", "2234", "2.50", "3234", "3.50"];

test.each<[string, string, "browser" | "auto", string[]]>([
  ["html", "<html lang=de>", "browser", GERMAN],
  ["html, by HTTP", "<html lang=de>", "auto", GERMAN],
  ["body", "<html lang=en><body lang=de>", "browser", GERMAN],
  ["nothing", "<html>", "browser", ["1.234 €", "1.50", "2.234 €", "2.50", "3.234 €", "3.50"]],
])("a language of %s", async (what, start, engineOf, values) => {
  const { rows, failure } = await engine.run({
    steps: [{ type: "visit", url: pages(`/${what.replace(/\W+/g, "-")}`, start) }, list],
    pagination: { type: "next_button", selector: "a[rel=next]" },
    engine: engineOf,
  });
  expect(failure).toBeUndefined();
  expect(rows.map(({ price }) => price)).toEqual(values);
});
