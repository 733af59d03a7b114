import type { Step } from "../../../functions/contract/steps/steps.ts";
import { type Page, type Pages, SITE, visit } from "../page.ts";

/* Numbers of a page that its script counts up once they come into view. */

/** Small numbers stay the same for long while they are counted. */
const NUMBERS = [3, 120, 2];
const fields = (prefix: string) => NUMBERS.map((n) => ({ name: prefix + n, selector: `.n${n}` }));
const values = (prefix: string) => Object.fromEntries(NUMBERS.map((n) => [prefix + n, String(n)]));

/** @param leave what a number does that goes out of view */
const counting = (top: number, leave: string): Page => ({
  html: `<!doctype html><meta charset=utf-8><div style="height:${top}px">Welcome</div>${NUMBERS.map((n) => `<p><b class=n${n}>0</b></p>`).join("")}<div style="height:3000px"></div><script>
  const frames = new Map(), show = (box, n) => { box.firstChild.textContent = n; };
  const seeing = new IntersectionObserver((all) => { for (const { isIntersecting, target: box } of all) {
    if (!isIntersecting) { ${leave}; continue; }
    let start; const end = +box.firstChild.className.slice(1);
    const step = (now) => { start ??= now; const part = Math.min(1, (now - start) / 2500); show(box, Math.round(part * end));
      if (part < 1) frames.set(box, requestAnimationFrame(step)); };
    frames.set(box, requestAnimationFrame(step)); } });
  for (const box of document.querySelectorAll("p")) seeing.observe(box);</script>`,
  routes: { "/list": `<!doctype html><ul><li><a href="/">Lamp</a></li></ul>` },
  steps: [
    visit(),
    ...fields("text").map(({ name, selector }): Step => ({ type: "get_text", field_name: name, selector })),
    visit("/list"),
    {
      type: "get_list",
      selector: "li",
      fields: [{ name: "url", selector: "a", attribute: "href" }],
      details: { url_field: "url", fields: fields("detail") },
    },
  ],
  rows: [{ ...values("text"), url: `${SITE}/`, ...values("detail") }],
});

const RESET = "cancelAnimationFrame(frames.get(box)); show(box, 0)";

export default {
  "further down": counting(2_000, ""),
  "at the top, that begin again each time": counting(0, RESET),
  "further down, that begin again each time": {
    ...counting(2_000, RESET),
    slow: "Each number counts for 2.5 seconds of frames, again for each text.",
  },
} satisfies Pages;
