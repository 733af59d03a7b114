import { expect, test } from "@jest/globals";
import { startEngineAndSite } from "../engine-and-site.ts";

/* Numbers of a page that its script counts up once they come into view. Those of lists: lists/rows-in-view.test.ts. */

const { engine, site } = await startEngineAndSite();

/** Small numbers stay the same for long while they are counted. */
const NUMBERS = [3, 120, 2];
const fields = NUMBERS.map((n) => ({ name: `n${n}`, selector: `.n${n}` }));
const VALUES = { n3: "3", n120: "120", n2: "2" };

/** @param leave what a number does that goes out of view */
const counting = (top: number, leave: string) =>
  `<!doctype html><meta charset=utf-8><div style="height:${top}px">Welcome</div>${NUMBERS.map((n) => `<p><b class=n${n}>0</b></p>`).join("")}<div style="height:3000px"></div><script>
  const frames = new Map(), show = (box, n) => { box.firstChild.textContent = n; };
  const seeing = new IntersectionObserver((all) => { for (const { isIntersecting, target: box } of all) {
    if (!isIntersecting) { ${leave}; continue; }
    let start; const end = +box.firstChild.className.slice(1);
    const step = (now) => { start ??= now; const part = Math.min(1, (now - start) / 2500); show(box, Math.round(part * end));
      if (part < 1) frames.set(box, requestAnimationFrame(step)); };
    frames.set(box, requestAnimationFrame(step)); } });
  for (const box of document.querySelectorAll("p")) seeing.observe(box);</script>`;

const RESET = "cancelAnimationFrame(frames.get(box)); show(box, 0)";

test.concurrent.each([
  ["at the top", 0, ""],
  ["further down", 2_000, ""],
  ["at the top, that begin again each time", 0, RESET],
  ["further down, that begin again each time", 2_000, RESET],
])("numbers that are counted up %s", async (_, top, leave) => {
  const [path, list] = [site.newPath(), site.newPath()];
  site.setRoute(path, counting(top, leave));
  site.setRoute(list, `<!doctype html><ul><li><a href="${path}">Lamp</a></li></ul>`);
  const texts = await engine.run({
    steps: [
      { type: "visit", url: site.url(path) },
      ...fields.map(({ name, selector }) => ({ type: "get_text" as const, field_name: name, selector })),
    ],
  });
  expect(texts).toMatchObject({ rows: [VALUES], warnings: [] });
  const details = await engine.run({
    steps: [
      { type: "visit", url: site.url(list) },
      {
        type: "get_list",
        selector: "li",
        fields: [{ name: "url", selector: "a", attribute: "href" }],
        details: { url_field: "url", fields },
      },
    ],
  });
  expect(details).toMatchObject({ rows: [{ url: site.url(path), ...VALUES }], warnings: [] });
});
