import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { type Site, startSite } from "../site/site.ts";
import { startWorld, type World } from "./harness.ts";

/* Pages of ill will, through the whole service: what they break is their own run alone. */

let world: World;
let site: Site;
beforeAll(async () => {
  site = await startSite();
  world = await startWorld({ allowHosts: [site.host] });
});
afterAll(async () => {
  await world.stop();
  await site.close();
});

const fields = [{ name: "__proto__" }, { name: "text" }];
const list = { type: "get_list", selector: ".item", fields, timeout_ms: 120_000 };
const start = async (path: string, steps: object[] = [list], more: object = {}) => {
  const definition = { name: "Hostile", steps: [{ type: "visit", url: site.url(path) }, ...steps], ...more };
  const scraper = await world.putScraper(definition);
  return (await world.post("/v1/runs", { scraper_id: scraper.id, webhook_url: world.receiverUrl })).body.id;
};
const delivered = async (id: string) => {
  for (;;) {
    const delivery = world.deliveries.find(({ run }) => run.id === id);
    if (delivery) return delivery.run;
    await sleep(50);
  }
};
const row = (text: string) => `<p class=item id=item></p><script>item.textContent = ${text}</script>`;

test("a value of 5 MB is stored, served and delivered whole", async () => {
  site.setRoute("/large", row(`Array.from({ length: 5e5 }, (_, n) => String(n).padStart(9)).join(" ")`));
  const id = await start("/large", [{ ...list, fields: [{ name: "text" }] }]);
  const finished = await world.finished(id);
  const value = finished.result_rows?.[0]?.text ?? "";
  expect(finished).toMatchObject({ status: "successful", error: null });
  // White space is shown as one space.
  expect(value).toBe(Array.from({ length: 5e5 }, (_, n) => String(n)).join(" "));
  expect(await delivered(id)).toEqual(finished);
}, 300_000);

test("a value that is too large fails the run by its name, page and size, and keeps the rows before it", async () => {
  site.setRoute("/huge", row(`"x".repeat(2e7)`));
  site.setRoute("/small", `${row('"small"')}<a class=next href="/huge">Next</a>`);
  const id = await start("/small", [list], { pagination: { type: "next_button", selector: ".next" } });
  const finished = await world.finished(id);
  expect(finished).toMatchObject({
    status: "failed",
    error: {
      code: "too_large",
      step: 1,
      message: expect.stringMatching(/^The field __proto__ of row 1 on .*\/huge holds 20000000 characters/),
    },
  });
  expect(JSON.stringify(finished.result_rows)).toBe('[{"__proto__":"small","text":"small"}]');
  expect(await delivered(id)).toEqual(finished);
}, 300_000);

test("runs beside and after a page that takes all memory, logs the longest text and never rests are unharmed", async () => {
  site.setRoute("/good", row('"good"'));
  site.setRoute(
    "/memory",
    "<script>const all = []; setInterval(() => all.push(new Uint8Array(1e8).fill(1)), 1)</script>",
  );
  site.setRoute("/longest", '<script>console.log("x".repeat(2 ** 29 - 24))</script>');
  site.setRoute("/restless", "<p class=item>x</p><script>for (;;) {}</script>");
  const quick = { ...list, timeout_ms: 500 };
  const hostile = [await start("/memory"), await start("/longest"), await start("/restless", [quick])];
  const good = await start("/good");
  const codes = [];
  for (const id of hostile) codes.push((await world.finished(id)).error?.code);
  expect(codes).toEqual(["too_large", "too_large", "timeout"]);
  expect((await world.finished(good)).result_rows).toEqual([expect.objectContaining({ text: "good" })]);
}, 400_000);

test("a get_text of megabytes with nothing behind it, and a failure on a page with an endless address", async () => {
  site.setRoute("/text", row('"x".repeat(1e6)'));
  const text = { type: "get_text", field_name: "text", selector: ".item" };
  expect((await world.finished(await start("/text", [text]))).result_rows).toEqual([
    { text: "x".repeat(1e6) },
  ]);
  site.setRoute("/address", '<script>history.pushState(0, "", "?" + "x".repeat(1e6))</script>');
  const none = { ...list, timeout_ms: 1_500 };
  expect(await world.finished(await start("/address", [none]))).toMatchObject({
    status: "failed",
    error: { code: "element_not_found", step: 1 },
  });
}, 300_000);
