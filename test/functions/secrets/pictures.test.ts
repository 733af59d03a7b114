import { afterAll, beforeAll, expect, test } from "@jest/globals";
import type { PageCapture } from "../../../functions/scraping/page/pictures/capture.ts";
import { withSecrets } from "../../../functions/secrets/with-secrets.ts";
import { type Site, startSite } from "../../site/site.ts";
import { type Engine, startEngine } from "../scraping/harness.ts";

/* The picture of a page that a secret was typed into never shows it: it is the same for another secret of that length. */

let engine: Engine;
let site: Site;
let secret = "";
const looks: PageCapture[] = [];

beforeAll(async () => {
  site = await startSite();
  const capture = { wantsScreenshot: true, onCapture: (seen: PageCapture) => void looks.push(seen) };
  engine = await startEngine([site.host], {
    wrap: (scrape) => {
      const withThem = withSecrets(
        scrape,
        async () => new Map([["typed", { value: secret, hosts: [] }]]),
        "acme",
      );
      return (job, context) => withThem(job, { ...context, capture });
    },
  });
});
afterAll(async () => {
  await engine.close();
  await site.close();
});

const one = "correct-horse-12";
const other = "battery.staple.3";

/** What a run sees at the end that types a text, or a secret with this value. */
async function look({ text = "{{secret:typed}}", value = "" }): Promise<PageCapture | undefined> {
  secret = value;
  looks.length = 0;
  await engine.run({
    loadImages: true,
    steps: [
      { type: "visit", url: site.url("/shows") },
      { type: "write_input", selector: "input", value: text },
    ],
  });
  return looks[0];
}

/** A page that shows what is typed by a script, which has it as `value`. */
const setPage = (script: string) =>
  site.setRoute(
    "/shows",
    `<h1>Account</h1><input><script>
    document.querySelector("input").addEventListener("input", ({ target }) => { let { value } = target; ${script} });</script>`,
  );
/** Scripts that add HTML or style rules, in which VALUE stands for what is typed. */
const add = (html: string, to = "body") =>
  `document.${to}.insertAdjacentHTML("beforeend", ${JSON.stringify(html).replaceAll("</", "<\\/")}.replaceAll("VALUE", value));`;
const rule = (css: string) => add(`<style>${css}</style>`, "head");
const gone = "target.style.display = 'none';";
const draw =
  "const canvas = Object.assign(document.createElement('canvas'), { width: 300 }); const drawing = canvas.getContext('2d'); drawing.font = '20px serif'; drawing.fillText(value, 10, 50);";
const toDots = "-webkit-text-security";

test.each([
  ["the input itself", ""],
  ["a text", `${gone} document.body.append("You are " + value + "!")`],
  ["a text that is encoded", `${gone} document.body.append(btoa(value))`],
  [
    "controls",
    `${gone} ${add("<input value='VALUE'><input placeholder='VALUE'><input type=submit value='VALUE'><textarea>VALUE</textarea>")}
    ${add("<select><option>VALUE</select><select><option label='VALUE'></select>")}`,
  ],
  ["generated content", `${gone} ${rule("h1::after { content: 'VALUE' }")}`],
  [
    "a closed shadow tree",
    `${gone} document.querySelector("h1").attachShadow({ mode: "closed" }).append(value)`,
  ],
  [
    "a frame",
    `${gone} const frame = document.createElement("iframe"); document.body.append(frame); frame.contentDocument.body.append(value)`,
  ],
  [
    "images",
    `${gone} ${draw} document.body.append(canvas);
    const image = new Image(300); image.src = canvas.toDataURL(); document.body.append(image);
    document.body.style.background = "url(" + canvas.toDataURL() + ")";
    ${add("<svg><defs><text id=t y=30>VALUE</text></defs><use href='#t'/></svg>")}
    value = canvas.toDataURL(); ${rule("h1::after { content: url('VALUE') }")}`,
  ],
  [
    "a text with an important rule",
    `${gone} ${rule(`@layer a { * { ${toDots}: none !important; opacity: 1 !important } }`)} document.body.append(value)`,
  ],
])("a secret that the page shows as %s is covered", async (_, script) => {
  setPage(script);
  const plain = await look({ text: one });
  const first = await look({ value: one });
  const second = await look({ value: other });
  expect(first?.secrets).toBe("covered");
  expect(bytesOf(first).subarray(0, 2).toString("hex")).toBe("ffd8");
  expect(bytesOf(first).equals(bytesOf(second))).toBe(true);
  // Without a secret, the picture shows it.
  expect(plain?.secrets).toBeUndefined();
  expect(bytesOf(plain).equals(bytesOf(first))).toBe(false);
});

const bytesOf = (seen: PageCapture | undefined) => Buffer.from(seen?.screenshot ?? []);

test.each([
  [
    "in pieces",
    "for (const letter of value) document.body.append(Object.assign(document.createElement('span'), { textContent: letter }))",
  ],
  [
    "in generated content with a style of its own",
    rule(`h1::after { content: 'VALUE'; ${toDots}: none !important }`),
  ],
  [
    "again as soon as it is covered",
    "document.body.append(value); new MutationObserver(() => document.body.removeAttribute('style')).observe(document.body, { attributes: true })",
  ],
  [
    "in inputs for one letter each",
    "for (const letter of value) document.body.append(Object.assign(document.createElement('input'), { value: letter }))",
  ],
])("a page that shows a secret %s has no picture", async (_, script) => {
  setPage(`${gone} ${script}`);
  const seen = await look({ value: one });
  expect(seen).toMatchObject({ secrets: "hidden" });
  expect(seen?.screenshot).toBeUndefined();
});

test("a page that does not show the secret is pictured as it is", async () => {
  setPage(`${gone} document.body.append("Welcome back")`);
  const plain = await look({ text: one });
  const covered = await look({ value: one });
  expect(covered?.secrets).toBe("covered");
  expect(bytesOf(covered).equals(bytesOf(plain))).toBe(true);
});
