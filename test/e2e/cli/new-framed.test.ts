import { afterAll, beforeAll, expect, test } from "@jest/globals";
import type { Run } from "../../../functions/contract/runs/run.ts";
import type { Scraper } from "../../../functions/contract/scrapers/scraper.ts";
import type { StepOf } from "../../../functions/contract/steps/steps.ts";
import { type Handler, sendHtml, startSite } from "../../site/site.ts";
import { startWorld } from "../harness.ts";
import { gleaner } from "./gleaner.ts";

/* Scrapers for lists in the pages that frames show. Each is made by the command line, and then run. */

const page = await startSite();
// Another port is another origin.
const other = await startSite();
const world = await startWorld({ allowHosts: [page.host, other.host] });
beforeAll(() => world.setLimits({ rate_limit: 10_000 }));
afterAll(async () => {
  await world.stop();
  await page.close();
  await other.close();
});

const card = (name: string) =>
  `<article class="card"><h3>${name}</h3><p>It is made by hand and lasts a lifetime.</p><b>€${name.length}.00</b></article>`;
const cards = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, index) => card(`Chair ${from + index + 1}`)).join("");
const pages =
  (path: string): Handler =>
  (request, response) => {
    const at = Number(new URL(request.url ?? "", "http://site").searchParams.get("p") ?? 1);
    const links = [1, 2, 3].map((n) => (n === at ? `<b>${n}</b>` : `<a href="${path}?p=${n}">${n}</a>`));
    sendHtml(response, `<!doctype html>${cards(at * 8 - 8, at * 8)}<p class=pager>${links.join(" ")}</p>`);
  };
const frame = (attributes: string) =>
  `<!doctype html><title>Chairs</title><nav><a href=/a>Home</a> <a href=/b>News</a></nav><iframe ${attributes} style="width:100%;height:700px;border:3px solid"></iframe>`;

page.setRoute("/list", pages("/list"));
page.setRoute("/boxed", frame(`name="shop" sandbox="allow-scripts" srcdoc='${cards(0, 24)}'`));
page.setRoute("/nested", frame(`class="outer" src="${other.url("/between")}"`));
other.setRoute("/between", frame(`class="inner" src="${page.url("/list")}"`));
page.setRoute(
  "/set",
  `<!doctype html><title>Chairs</title><frameset cols="20%,80%"><frame name="menu" src="/menu"><frame name="main" src="/list"></frameset>`,
);
page.setRoute("/menu", "<ul><li><a href=/a>Home</a><li><a href=/b>News</a><li><a href=/c>Contact</a></ul>");
page.setRoute(
  "/beside",
  `<!doctype html><title>Chairs</title><main>${cards(0, 24)}</main><iframe src="/posts" style="width:300px;height:600px"></iframe>`,
);
page.setRoute(
  "/posts",
  Array.from(
    { length: 24 },
    (_, n) => `<div class=post><b>Post ${n}</b><p>${"Words about it. ".repeat(20)}</p></div>`,
  ).join(""),
);

test.each([
  ["with srcdoc, in a sandbox", "/boxed", ['[name="shop"]']],
  ["inside a frame of another origin", "/nested", [".outer", ".inner"]],
  ["of a frameset", "/set", ['[name="main"]']],
  ["that is an aside", "/beside", undefined],
])("the list in a frame %s is proposed, and read with all its pages", async (_, path, expected) => {
  const made = await gleaner(["scraper", "new", page.url(path), "--data", world.data]);
  expect({ code: made.code, said: made.stderr }).toMatchObject({ code: 0 });
  const [id = ""] = /[0-9a-f]{8}-[0-9a-f-]{27}/.exec(made.stdout) ?? [];
  const { steps } = (await world.call<Scraper>(`/v1/scrapers/${id}`)).body;
  const list = steps.at(-1) as StepOf<"get_list">;
  expect(list.frame).toEqual(expected);
  const started = await world.call<Run>("/v1/runs", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ scraper_id: id }),
  });
  const run = await world.finished(started.body.id);
  expect(run).toMatchObject({ status: "successful", warnings: [] });
  const names = Array.from({ length: 24 }, (__, index) => `Chair ${index + 1}`);
  expect(run.result_rows?.map((row) => Object.values(row).find((value) => /^Chair/.test(value)))).toEqual(
    names,
  );
});
