import { expect, test } from "@jest/globals";
import type { Pagination } from "../../../../functions/contract/scraper.ts";
import type { Step } from "../../../../functions/contract/steps.ts";
import { startEngineAndSite } from "../engine-and-site.ts";

/** Pages that count their time by frames: the browser draws these in real time, while the page's clock is ahead. */

const { engine, site } = await startEngineAndSite();

/** Names of the items `from + 1` to `to`, as rows. */
const rows = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, index) => ({ name: `Item ${from + index + 1}` }));
const items = `const items = (from, to) => Array.from({ length: to - from }, (_, index) =>
  "<li class=it><b>Item " + (from + index + 1) + "</b></li>").join("");`;
/** Calls `draw` with the share of `ms` that has passed, as frames tell it, and then `end`. */
const animate = `const animate = (ms, draw, end = () => {}) => { let start;
  requestAnimationFrame(function frame(now) { start ??= now; const share = Math.min(1, (now - start) / ms); draw(share);
    if (share < 1) requestAnimationFrame(frame); else end(); }); };
  const animateCapped = (ms, draw, end = () => {}) => { let passed = 0, last;
  requestAnimationFrame(function frame(now) { passed += last === undefined ? 16 : Math.min(now - last, 33); last = now;
    draw(Math.min(1, passed / ms)); if (passed < ms) requestAnimationFrame(frame); else end(); }); };`;

async function scrape(html: string, steps: Step[] = [], pagination?: Pagination) {
  const path = site.newPath();
  site.setRoute(
    path,
    `<!doctype html><meta charset=utf-8>${html.replace("<script>", `<script>${items}${animate}`)}`,
  );
  const list: Step = { type: "get_list", selector: ".it", fields: [{ name: "name", selector: "b" }] };
  const { failure, warnings, rows } = await engine.run({
    steps: [{ type: "visit", url: site.url(path) }, ...steps, list],
    ...(pagination && { pagination }),
  });
  return { failure, warnings, rows };
}
const right = (count: number) => ({ failure: undefined, warnings: [], rows: rows(0, count) });
const next: Pagination = { type: "next_button", field_name: "Next" };

test.concurrent("rows that come one after another", async () => {
  const told = await scrape(`<ul id=l></ul><script>let count = 0; animate(2000, (share) => {
    while (count < 40 * share) { count += 1; l.insertAdjacentHTML("beforeend", items(count - 1, count)); } });</script>`);
  expect(told).toEqual(right(40));
});

test.concurrent("old rows that fade out after a click, before others take their place", async () => {
  const told = await scrape(
    `<button id=n>More</button><ul id=l></ul><script>l.innerHTML = items(8, 16);
    n.onclick = () => animate(500, (share) => { l.style.opacity = 1 - share; },
      () => { l.innerHTML = items(0, 8); l.style.opacity = 1; });</script>`,
    [{ type: "click", field_name: "More" }],
  );
  expect(told).toEqual(right(8));
});

test.concurrent.each([
  ["by the time of the frames", "animate"],
  ["by at most 33 ms for each frame", "animateCapped"],
])("pages that fade out before the next one comes, %s", async (_, how) => {
  const told = await scrape(
    `<ul id=l></ul><button id=n>Next</button><script>let page = 0; l.innerHTML = items(0, 8);
    n.onclick = () => { page += 1; n.disabled = page === 3; ${how}(400, (share) => { l.style.opacity = 1 - share; },
      () => { l.innerHTML = items(page * 8, page * 8 + 8); l.style.opacity = 1; }); };</script>`,
    [],
    next,
  );
  expect(told).toEqual(right(32));
});

test.concurrent("pages that fade out beside the next one", async () => {
  const told = await scrape(
    `<div id=w></div><button id=n>Next</button><script>let page = 0;
    const add = () => { w.insertAdjacentHTML("beforeend", "<ul>" + items(page * 8, page * 8 + 8) + "</ul>"); }; add();
    n.onclick = () => { const old = w.lastChild; page += 1; n.disabled = page === 3; add();
      animateCapped(500, (share) => { old.style.opacity = 1 - share; }, () => old.remove()); };</script>`,
    [],
    next,
  );
  expect(told).toEqual(right(32));
});

test.concurrent("a button that fades out before it adds rows", async () => {
  const told = await scrape(
    `<ul id=l></ul><button id=n>Load more</button><script>let count = 8; l.innerHTML = items(0, 8);
    n.onclick = () => animate(500, (share) => { n.style.opacity = 1 - share; }, () => {
      l.insertAdjacentHTML("beforeend", items(count, count + 8)); count += 8; n.style.opacity = 1;
      if (count === 32) n.remove(); });</script>`,
    [],
    { type: "load_more", field_name: "Load more" },
  );
  expect(told).toEqual(right(32));
});

test.concurrent("a number that counts for as many frames as 2.5 s have", async () => {
  const told = await scrape(`<p class=it>Item <b>0</b></p><script>let count = 0;
    requestAnimationFrame(function frame() { count += 1; document.querySelector("b").textContent = "Item " + count / 150;
      if (count < 150) requestAnimationFrame(frame); });</script>`);
  expect(told).toEqual(right(1));
});

test.concurrent("a number that counts a long time between two frames as a short one", async () => {
  const told = await scrape(`<p class=it>Item <b>0</b></p><script>let passed = 0, last = Date.now();
    requestAnimationFrame(function frame() { const now = Date.now(); passed += now - last > 500 ? 33 : now - last; last = now;
      document.querySelector("b").textContent = "Item " + Math.min(1, passed / 2500);
      if (passed < 2500) requestAnimationFrame(frame); });</script>`);
  expect(told).toEqual(right(1));
});

test.concurrent("callbacks of frames that fail or are cancelled by others, while the clock jumps", async () => {
  const told = await scrape(`<ul id=l></ul><script>let errors = 0, count = 0, others = 0;
    addEventListener("error", () => { errors += 1; });
    requestAnimationFrame(function frame() { count += 1; if (count < 100) requestAnimationFrame(frame);
      const other = requestAnimationFrame(() => { others += 1; });
      requestAnimationFrame(() => { throw new Error("none"); });
      requestAnimationFrame(() => cancelAnimationFrame(after));
      const after = requestAnimationFrame(() => { others += 1; });
      cancelAnimationFrame(other);
      if (count === 100) setTimeout(() => { if (errors === 100 && others === 0) l.innerHTML = items(0, 1); }, 200); });
    </script>`);
  expect(told).toEqual(right(1));
});

test.concurrent("an opening of 2 s before the list", async () => {
  const told = await scrape(`<div id=w><h1>Welcome</h1></div><script>
    animate(2000, (share) => { w.style.opacity = share; }, () => { w.innerHTML = items(0, 8); });</script>`);
  expect(told).toEqual(right(8));
});

test.concurrent("callbacks of frames get a time that grows, and can be cancelled", async () => {
  const told = await scrape(`<ul id=l></ul><script>const times = [];
    cancelAnimationFrame(requestAnimationFrame(() => times.push(0)));
    try { requestAnimationFrame("no function"); } catch (error) { times.push(error.name); }
    requestAnimationFrame(function frame(now) { times.push(now); if (times.length < 5) return requestAnimationFrame(frame);
      const [name, ...numbers] = times;
      const grows = numbers.every((time, index) => index === 0 || time >= numbers[index - 1]) && numbers.at(-1) > numbers[0];
      if (name === "TypeError" && grows) l.innerHTML = items(0, 1); });
    </script>`);
  expect(told).toEqual(right(1));
});
