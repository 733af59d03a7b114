import { describe, expect, test } from "@jest/globals";
import type { Step } from "../../../../functions/contract/steps.ts";
import { startEngineAndSite } from "../engine-and-site.ts";

const { engine, site } = await startEngineAndSite();

const rows = (from: number, to: number) =>
  Array.from(
    { length: to - from + 1 },
    (_, index) => `<div class=item><b>Lamp ${from + index}</b></div>`,
  ).join("");
const names = (from: number, to: number, name = "Lamp") =>
  Array.from({ length: to - from + 1 }, (_, index) => ({ name: `${name} ${from + index}` }));

/** A list that grows by as many rows as it begins with while its end is in view. */
const growing = ({ first = 30, most = 90, ms = 5, css = "", more = "" }) => `
  <style>.item{height:60px}${css}</style>${more}<div id=list>${rows(1, first)}</div><div id=end style="height:1px"></div><script>
  let shown = ${first}, coming = false;
  const watch = new IntersectionObserver((entries) => {
    if (!entries.some((entry) => entry.isIntersecting) || coming || shown >= ${most}) return;
    coming = true;
    setTimeout(() => {
      for (let n = 0; n < ${first}; n++) { shown++; list.insertAdjacentHTML("beforeend", '<div class="item new"><b>Lamp ' + shown + '</b></div>'); }
      coming = false; watch.unobserve(end); watch.observe(end);
    }, ${ms});
  });
  watch.observe(end);</script>`;

const list: Step = { type: "get_list", selector: ".item", fields: [{ name: "name", selector: "b" }] };
const scroll = (path: string, step: Partial<Step> = {}) =>
  engine.run({
    steps: [{ type: "visit", url: site.url(path) }, { ...list, ...step } as Step],
    pagination: { type: "infinite_scroll" },
  });

describe("a list that is scrolled", () => {
  test.concurrent.each([0, 10, 25, 60])(
    "and has more rows %i ms after it was looked at first",
    async (ms) => {
      const path = site.newPath();
      site.setRoute(path, growing({ first: 5, most: 40, ms }));
      expect((await scroll(path)).rows).toEqual(names(1, 40));
    },
  );

  test.concurrent("where only the later rows have to be drawn to be read", async () => {
    site.setRoute(
      "/drawn",
      growing({ css: ".new{text-transform:uppercase}", more: "<object data=none.xyz>Nothing</object>" }),
    );
    const told = await scroll("/drawn");
    expect(told.failure).toBeUndefined();
    expect(told.rows).toEqual([...names(1, 30), ...names(31, 90, "LAMP")]);
  });

  test.concurrent("by selectors that only Playwright knows", async () => {
    site.setRoute("/kinds", growing({}));
    expect((await scroll("/kinds", { selector: ".item:visible" })).rows).toEqual(names(1, 90));
    const fields = [{ name: "name", selector: "text=Lamp" }];
    expect((await scroll("/kinds", { fields })).rows).toEqual(names(1, 90));
  });

  test.concurrent("whose rows give place to others, by selectors of each kind", async () => {
    site.setRoute(
      "/recycled",
      `<style>#box{height:400px;overflow:auto}.item{position:absolute;height:40px}</style>
      <div id=box><div id=space style="height:4000px;position:relative"></div></div><script>
      for (let n = 0; n < 16; n++) space.insertAdjacentHTML("beforeend", '<div class=item><b></b></div>');
      const draw = () => { const first = Math.min(84, Math.floor(box.scrollTop / 40));
        for (let n = first; n < first + 16; n++) { const item = space.children[n % 16];
          item.style.top = n * 40 + "px"; item.firstChild.textContent = "Lamp " + (n + 1); } };
      box.onscroll = draw; draw();</script>`,
    );
    expect((await scroll("/recycled")).rows).toEqual(names(1, 100));
    expect((await scroll("/recycled", { selector: ".item:visible" })).rows).toEqual(names(1, 100));
  });

  test.concurrent("in a box that is made to scroll after its rows came", async () => {
    site.setRoute(
      "/late-box",
      `<style>.scrolls{height:300px;overflow:auto}.item{height:60px}</style><div id=box><div id=list>${rows(1, 10)}</div></div>
      <script>setTimeout(() => { box.className = "scrolls"; }, 1200);
      box.onscroll = () => { if (list.children.length < 30) list.insertAdjacentHTML("beforeend", '${rows(11, 20)}'.replace(/Lamp (\\d+)/g, (_, n) => "Lamp " + (Number(n) + list.children.length - 10))); }</script>`,
    );
    expect((await scroll("/late-box")).rows).toEqual(names(1, 30));
  });

  test.concurrent("in a box that the scraper names", async () => {
    site.setRoute(
      "/boxes",
      `<style>#box{height:300px;overflow:hidden}.item{height:60px}</style><div id=box class=results><div id=list>${rows(1, 10)}</div></div>
      <script>box.onscroll = () => { if (list.children.length < 30) list.insertAdjacentHTML("beforeend", '${rows(11, 20)}'.replace(/Lamp (\\d+)/g, (_, n) => "Lamp " + (Number(n) + list.children.length - 10))); }</script>`,
    );
    const inBox = (selector?: string) =>
      engine.run({
        steps: [{ type: "visit", url: site.url("/boxes") }, list],
        pagination: { type: "infinite_scroll", selector },
      });
    expect((await inBox()).rows).toEqual(names(1, 10));
    expect((await inBox("#box")).rows).toEqual(names(1, 30));
    expect((await inBox("div.results:visible")).rows).toEqual(names(1, 30));
    expect((await inBox("#none")).failure).toMatchObject({
      code: "element_not_found",
      message: expect.stringContaining("#none"),
    });
    expect((await inBox("#none[")).failure).toMatchObject({
      code: "invalid_step",
      message: expect.stringMatching(/^#none\[ is/),
    });
  });
});
