import type { Step } from "../../../functions/contract/steps/steps.ts";
import { type Page, type Pages, visit } from "../page.ts";

/* Pages that count their time by frames: the browser draws these in real time, while the page's clock is ahead. */

const rows = (count: number) => Array.from({ length: count }, (_, index) => ({ name: `Item ${index + 1}` }));
const items = `const items = (from, to) => Array.from({ length: to - from }, (_, index) =>
  "<li class=it><b>Item " + (from + index + 1) + "</b></li>").join("");`;
/** Calls `draw` with the share of `ms` that has passed, as frames tell it, and then `end`. */
const animate = `const animate = (ms, draw, end = () => {}) => { let start;
  requestAnimationFrame(function frame(now) { start ??= now; const share = Math.min(1, (now - start) / ms); draw(share);
    if (share < 1) requestAnimationFrame(frame); else end(); }); };
  const animateCapped = (ms, draw, end = () => {}) => { let passed = 0, last;
  requestAnimationFrame(function frame(now) { passed += last === undefined ? 16 : Math.min(now - last, 33); last = now;
    draw(Math.min(1, passed / ms)); if (passed < ms) requestAnimationFrame(frame); else end(); }); };`;

const list: Step = { type: "get_list", selector: ".it", fields: [{ name: "name", selector: "b" }] };
const page = (html: string, count: number, more: Page = {}): Page => ({
  html: `<!doctype html><meta charset=utf-8>${html.replace("<script>", `<script>${items}${animate}`)}`,
  steps: [visit(), list],
  rows: rows(count),
  ...more,
});
const next = { pagination: { type: "next_button", field_name: "Next" } } as const;

export default {
  "rows that come one after another": page(
    `<ul id=l></ul><script>let count = 0; animate(2000, (share) => {
    while (count < 40 * share) { count += 1; l.insertAdjacentHTML("beforeend", items(count - 1, count)); } });</script>`,
    40,
  ),
  "old rows that fade out after a click, before others take their place": page(
    `<button id=n>More</button><ul id=l></ul><script>l.innerHTML = items(8, 16);
    n.onclick = () => animate(500, (share) => { l.style.opacity = 1 - share; },
      () => { l.innerHTML = items(0, 8); l.style.opacity = 1; });</script>`,
    8,
    { steps: [visit(), { type: "click", field_name: "More" }, list] },
  ),
  "pages that fade out before the next one comes, by the time of the frames": page(
    `<ul id=l></ul><button id=n>Next</button><script>let page = 0; l.innerHTML = items(0, 8);
    n.onclick = () => { page += 1; n.disabled = page === 3; animate(400, (share) => { l.style.opacity = 1 - share; },
      () => { l.innerHTML = items(page * 8, page * 8 + 8); l.style.opacity = 1; }); };</script>`,
    32,
    next,
  ),
  "pages that fade out beside the next one, by at most 33 ms for each frame": page(
    `<div id=w></div><button id=n>Next</button><script>let page = 0;
    const add = () => { w.insertAdjacentHTML("beforeend", "<ul>" + items(page * 8, page * 8 + 8) + "</ul>"); }; add();
    n.onclick = () => { const old = w.lastChild; page += 1; n.disabled = page === 3; add();
      animateCapped(500, (share) => { old.style.opacity = 1 - share; }, () => old.remove()); };</script>`,
    32,
    next,
  ),
  "a button that fades out before it adds rows": page(
    `<ul id=l></ul><button id=n>Load more</button><script>let count = 8; l.innerHTML = items(0, 8);
    n.onclick = () => animateCapped(500, (share) => { n.style.opacity = 1 - share; }, () => {
      l.insertAdjacentHTML("beforeend", items(count, count + 8)); count += 8; n.style.opacity = 1;
      if (count === 32) n.remove(); });</script>`,
    32,
    { pagination: { type: "load_more", field_name: "Load more" } },
  ),
  "a number that counts for as many frames as 2.5 s have": page(
    `<p class=it>Item <b>0</b></p><script>let count = 0;
    requestAnimationFrame(function frame() { count += 1; document.querySelector("b").textContent = "Item " + count / 150;
      if (count < 150) requestAnimationFrame(frame); });</script>`,
    1,
  ),
  "a number that counts a long time between two frames as a short one": page(
    `<p class=it>Item <b>0</b></p><script>let passed = 0, last = Date.now();
    requestAnimationFrame(function frame() { const now = Date.now(); passed += now - last > 500 ? 33 : now - last; last = now;
      document.querySelector("b").textContent = "Item " + Math.min(1, passed / 2500);
      if (passed < 2500) requestAnimationFrame(frame); });</script>`,
    1,
  ),
  "an opening of 2 s before the list": page(
    `<div id=w><h1>Welcome</h1></div><script>
    animate(2000, (share) => { w.style.opacity = share; }, () => { w.innerHTML = items(0, 8); });</script>`,
    8,
  ),
  "rows that are gone once a transition is over that a frame begins, after a frame that a timer asks for":
    page(
      `<ul id=l></ul><script>l.innerHTML = items(0, 16); l.ontransitionend = ({ target }) => target.remove();
    setTimeout(() => requestAnimationFrame(() => { for (const item of [...l.children].slice(8)) {
      item.style.transition = "opacity .3s"; item.offsetTop; item.style.opacity = 0; } }), 100);</script>`,
      8,
    ),
  "callbacks that fail or are cancelled by others, get a time that grows, and those of idle moments come in order":
    {
      html: `<body><script>
      const told = [];
      const ends = () => { document.querySelector("p").textContent = JSON.stringify(told); };
      const idle = (name) => requestIdleCallback((deadline) => told.push(
        [name, deadline.didTimeout, deadline.timeRemaining() > 0, document.querySelector("p") !== null]));
      idle("first idle");
      idle("second idle");
      cancelIdleCallback(idle("cancelled"));
      for (const name of ["requestIdleCallback", "requestAnimationFrame"])
        try { window[name]("no function"); } catch (error) { told.push([name, error.name]); }
      cancelAnimationFrame(requestAnimationFrame(() => told.push("cancelled")));
      let errors = 0, count = 0, others = 0;
      const times = [];
      addEventListener("error", () => { errors += 1; });
      requestAnimationFrame(function frame(now) {
        times.push(now);
        if (times.length < 100) requestAnimationFrame(frame);
        const other = requestAnimationFrame(() => { others += 1; });
        requestAnimationFrame(() => { throw new Error("none"); });
        requestAnimationFrame(() => cancelAnimationFrame(after));
        const after = requestAnimationFrame(() => { others += 1; });
        cancelAnimationFrame(other);
        if (times.length === 100) setTimeout(() => {
          const grows = times.every((time, index) => index === 0 || time >= times[index - 1]) && times.at(-1) > times[0];
          told.push(["frames", errors, others, grows]);
          ends();
        }, 200);
      });
    </script><p>Nothing yet</p>`,
      steps: [visit(), { type: "get_text", selector: "p", field_name: "calls" }],
      rows: [
        {
          calls: JSON.stringify([
            ["requestIdleCallback", "TypeError"],
            ["requestAnimationFrame", "TypeError"],
            ["first idle", false, true, true],
            ["second idle", false, true, true],
            ["frames", 100, 0, true],
          ]),
        },
      ],
    },
} satisfies Pages;
