/// <reference lib="dom" />
import { afterAll, describe, expect, test } from "@jest/globals";
import type { Pagination } from "../../../../functions/contract/scrapers/scraper.ts";
import type { Step } from "../../../../functions/contract/steps/steps.ts";
import { sendHtml } from "../../../site/site.ts";
import { startEngineAndSite } from "../engine-and-site.ts";

const { engine, site } = await startEngineAndSite();
const viewer = await engine.browsers.lease();
afterAll(() => viewer.close());

/** The colour of a picture near its upper left corner, where a page shows its background. */
async function colorOf(picture: Buffer | undefined): Promise<string> {
  const [red, green, blue] = await viewer.tab.page.evaluate(async (data) => {
    const bytes = Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0));
    const bitmap = await createImageBitmap(new Blob([bytes], { type: "image/jpeg" }));
    const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
    const context = canvas.getContext("2d") as OffscreenCanvasRenderingContext2D;
    context.drawImage(bitmap, 0, 0);
    return [...context.getImageData(4, 4, 1, 1).data];
  }, picture?.toString("base64") ?? "");
  const isFull = (value: number | undefined) => (value ?? 0) > 200;
  return [isFull(red) && "red", isFull(green) && "green", isFull(blue) && "blue"].filter(Boolean).join(" ");
}

const colored = (color: string, body: string) =>
  `<title>${color}</title><body style="background:${color}"><br>${body}`;
const items = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => `<p class=item><b>Lamp ${from + index}</b></p>`).join(
    "",
  );
const list: Step = {
  type: "get_list",
  selector: ".item",
  fields: [{ name: "name", selector: "b" }],
  timeout_ms: 4_000,
};
const scrape = (path: string, steps: Step[], pagination: Pagination = { type: "none" }) =>
  engine.run({ steps: [{ type: "visit", url: site.url(path) }, ...steps], pagination });

describe("the picture of a failure shows", () => {
  test.concurrent("a page that answered with an error, as the first one and as a later one", async () => {
    site.setRoute("/gone", (_, response) => sendHtml(response, colored("red", "Gone"), 404));
    const first = await scrape("/gone", [list]);
    expect(first.failure).toMatchObject({ code: "http_error", evidence: { title: "red" } });
    expect(await colorOf(first.failure?.evidence?.screenshot)).toBe("red");
    site.setRoute("/first", colored("blue", `${items(1, 2)}<a class=next href="/gone">Next</a>`));
    const later = await scrape("/first", [list], { type: "next_button", selector: ".next" });
    expect(later.rows).toHaveLength(2);
    expect(later.failure?.evidence?.url).toBe(site.url("/gone"));
    expect(await colorOf(later.failure?.evidence?.screenshot)).toBe("red");
  });

  test.concurrent("a page without the list", async () => {
    site.setRoute("/empty", colored("red", "Sold out"));
    const told = await scrape("/empty", [list]);
    expect(told.failure?.code).toBe("element_not_found");
    expect(await colorOf(told.failure?.evidence?.screenshot)).toBe("red");
  });

  test.concurrent("a list that could not be read", async () => {
    site.setRoute("/shop", colored("red", items(1, 30)));
    const told = await scrape("/shop", [{ ...list, fields: [{ name: "name", selector: "b[" }] } as Step]);
    expect(told.failure).toMatchObject({ code: "invalid_step", message: expect.stringMatching(/^b\[ is/) });
    expect(await colorOf(told.failure?.evidence?.screenshot)).toBe("red");
  });

  test.concurrent("a list that was scrolled, and what came after it", async () => {
    site.setRoute(
      "/grow",
      colored("red", `<div id=list style="line-height:100px">${items(1, 30)}</div>`) +
        `<script>onscroll = () => { if (list.children.length < 60) list.insertAdjacentHTML("beforeend", '${items(31, 60)}') }</script>`,
    );
    const told = await scrape("/grow", [list, { type: "click", field_name: "Order", timeout_ms: 200 }], {
      type: "infinite_scroll",
    });
    expect(told.rows).toHaveLength(60);
    expect(told.failure).toMatchObject({ code: "element_not_found", step: 2 });
    expect(await colorOf(told.failure?.evidence?.screenshot)).toBe("red");
  });

  test.concurrent("the detail page that failed, not the list that led to it", async () => {
    site.setRoute(
      "/overview",
      colored(
        "blue",
        `<p class=item><b>A</b><a href="/one">1</a></p><p class=item><b>B</b><a href="/two">2</a></p>`,
      ),
    );
    for (const path of ["/one", "/two"])
      site.setRoute(path, (_, response) => sendHtml(response, colored("red", "No"), 403));
    const told = await scrape("/overview", [
      {
        ...list,
        fields: [{ name: "url", selector: "a", attribute: "href" }],
        details: { url_field: "url", fields: [{ name: "title", selector: "h1" }] },
      } as Step,
    ]);
    expect(told.failure).toMatchObject({ code: "http_error", step: 1 });
    expect(told.failure?.evidence).toMatchObject({ url: site.url("/one"), title: "red" });
    expect(await colorOf(told.failure?.evidence?.screenshot)).toBe("red");
  });
});
