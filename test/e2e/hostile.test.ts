import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, jest, test } from "@jest/globals";
import { show } from "../../local/commands/run/manage.ts";
import { showAttempts } from "../../local/commands/webhook.ts";
import { type Site, sendHtml, startSite } from "../site/site.ts";
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

test("nothing that a page or a receiver says reaches the terminal as a command", async () => {
  const commands = "\u001b]0;owned\u0007\u009b2J\u202e\rend";
  site.setRoute("/title", (_, response) => sendHtml(response, `<title>${commands}</title>`));
  site.setRoute("/answer", (_, response) => void response.end(commands));
  const none = { type: "click", field_name: commands, timeout_ms: 1_500 };
  const definition = { name: "Escapes", steps: [{ type: "visit", url: site.url("/title") }, none] };
  const { id: scraper_id } = await world.putScraper(definition);
  const { id } = (await world.post("/v1/runs", { scraper_id, webhook_url: site.url("/answer") })).body;
  await world.finished(id);
  const of = { data: world.data };
  const printed: string[] = [];
  const log = jest.spyOn(console, "log").mockImplementation((text) => void printed.push(text));
  try {
    while (!printed.join().includes("200")) {
      printed.length = 0;
      await showAttempts(id, of);
    }
    await showAttempts(id, { ...of, json: true });
    await show(id, of);
    await show(id, { ...of, json: true });
  } finally {
    log.mockRestore();
  }
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not be printed.
  expect(printed.join("")).not.toMatch(/[\0-\x08\x0b-\x1f\x7f-\x9f\u202e]/);
  const [table, attempts = "", ...shown] = printed;
  expect(table).toContain("\\u001b]0;owned");
  expect(JSON.parse(attempts).attempts[0].answer).toBe(commands);
  expect(shown.join()).toContain("\\u001b]0;owned");
  expect(JSON.parse(shown.at(-1) ?? "").error.message).toContain(commands);
}, 300_000);
