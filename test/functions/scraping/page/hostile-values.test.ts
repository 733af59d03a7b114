import { describe, expect, test } from "@jest/globals";
import type { Step } from "../../../../functions/contract/steps.ts";
import { startEngineAndSite } from "../engine-and-site.ts";

const { engine, site } = await startEngineAndSite({ ownBrowsers: true });

const list = (...fields: { name: string; selector?: string; attribute?: string }[]): Step => ({
  type: "get_list",
  selector: ".item",
  fields,
  timeout_ms: 10_000,
});
const run = (html: string, ...steps: Step[]) => {
  const path = site.newPath();
  site.setRoute(path, html);
  return engine.run({ steps: [{ type: "visit", url: site.url(path) }, ...steps] });
};
/** A page with rows whose text a script makes. */
const rows = (count: number, text: string) => `<body><script>
  for (let n = 0; n < ${count}; n += 1) {
    const row = document.createElement("p");
    row.className = "item";
    row.textContent = ${text};
    document.body.append(row);
  }</script>`;

describe("sizes", () => {
  test("a value of 10 MB, and one of characters that are long on their way", async () => {
    const latin = await run(rows(2, `n + "x".repeat(1e7)`), list({ name: "text" }));
    expect(latin.rows.map(({ text }) => [text?.length, text?.[0]])).toEqual([
      [10_000_001, "0"],
      [10_000_001, "1"],
    ]);
    const wide = await run(rows(1, `"\\u4e2d".repeat(1e6) + "\\u0001".repeat(1e6)`), list({ name: "text" }));
    expect(wide.rows[0]?.text === "\u4e2d".repeat(1e6) + "\u0001".repeat(1e6)).toBe(true);
  });

  test("a list of 60 MB comes in its order", async () => {
    const { rows: taken, failure } = await run(rows(60, `n + "x".repeat(1e6)`), list({ name: "text" }));
    expect(failure).toBeUndefined();
    expect(taken.map(({ text }) => Number.parseInt(text ?? "", 10))).toEqual(
      Array.from({ length: 60 }, (_, n) => n),
    );
  });

  test("a list of many parts goes on to its next page", async () => {
    site.setRoute("/next", `<p class=item>last</p>`);
    site.setRoute("/first", `${rows(8, `"x".repeat(1e6)`)}<a class=next href="/next">Next</a>`);
    const told = await engine.run({
      steps: [{ type: "visit", url: site.url("/first") }, list({ name: "text" })],
      pagination: { type: "next_button", selector: ".next" },
    });
    expect(told.rows.map(({ text }) => text?.length)).toEqual([...Array(8).fill(1e6), 4]);
  });

  test("a value of 20 MB is refused by its name, its page and its size; rows before it are kept", async () => {
    site.setRoute("/huge", rows(3, `n === 1 ? "x".repeat(2e7) : "x"`));
    site.setRoute("/small", `<p class=item>small</p><a class=next href="/huge">Next</a>`);
    const told = await engine.run({
      steps: [
        { type: "visit", url: site.url("/small") },
        list({ name: "class", attribute: "class" }, { name: "text" }),
      ],
      pagination: { type: "next_button", selector: ".next" },
    });
    expect(told.rows).toEqual([{ class: "item", text: "small" }]);
    expect(told.failure).toMatchObject({
      code: "too_large",
      step: 1,
      message: expect.stringContaining(
        `The field text of row 2 on ${site.url("/huge")} holds 20000000 characters`,
      ),
    });
  });

  test.each<[string, string, Step]>([
    ["text", rows(1, `"x".repeat(2e7)`), { type: "get_text", field_name: "it", selector: ".item" }],
    [
      "value",
      `<label>Size <input id=size></label><script>size.value = "x".repeat(2e7)</script>`,
      { type: "get_text", field_name: "Size" },
    ],
  ])("a %s of 20 MB is refused where it is taken alone", async (_, html, step) => {
    const patient = { ...step, timeout_ms: 40_000 } as Step;
    expect((await run(html, patient)).failure).toMatchObject({ code: "too_large", step: 1 });
  });

  test("500 MB in 500 rows are refused", async () => {
    const told = await run(rows(500, `n + "x".repeat(1e6)`), list({ name: "text" }));
    expect(told.failure).toMatchObject({ code: "too_large", step: 1 });
  });

  test("texts that are too large to be added to each row of a list", async () => {
    const text: Step = { type: "get_text", field_name: "all", selector: "#text" };
    const html = `<div id=text>${"x".repeat(60_000)}</div><p class=item>One</p>`;
    const told = await run(html, text, list({ name: "name" }));
    expect(told.failure).toMatchObject({
      code: "too_large",
      step: 1,
      message: expect.stringContaining("all"),
    });
    const alone = await run(html, text);
    expect(alone.rows).toEqual([{ all: "x".repeat(60_000) }]);
  });
});

describe("characters", () => {
  const values = {
    "right to left": "\u05e9\u05dc\u05d5\u05dd \u202eabc\u202c \u0645\u0631\u062d\u0628\u0627",
    "a family": "\u{1f469}\u200d\u{1f469}\u200d\u{1f467}\u200d\u{1f466}",
    "many marks": `a${"\u0301".repeat(100_000)}`,
    "half a pair": "a\ud800b\udfff",
    "not characters": "\ufffe\uffff\u{10ffff}",
    controls: "a\u0001\u0007\u001b\u007f\u0085b",
    "a zero": "a\0b",
    "line ends": "a\u2028b\u2029c",
  };
  test.concurrent.each(Object.entries(values))("%s", async (_, value) => {
    const html = `<p class=item id=item></p><script>item.title = ${JSON.stringify(value)}</script>`;
    expect((await run(html, list({ name: "value", attribute: "title" }))).rows).toEqual([{ value }]);
    // As text, the page itself says what it shows of that, once it is laid out.
    const shown = `${html}<script>
      item.textContent = item.title;
      setTimeout(() => { item.dataset.text = item.innerText.trim(); item.className = "shown"; }, 50);
    </script>`;
    const wait: Step = { type: "wait", selector: ".shown[data-text]" };
    const fields = [{ name: "text" }, { name: "shown", attribute: "data-text" }];
    const [row] = (await run(shown, wait, { type: "get_list", selector: ".shown", fields })).rows;
    expect(row?.text).toBe(row?.shown);
    expect(row?.text).toMatch(/./);
  });
});

test.concurrent("fields that are called as every object's own", async () => {
  const names = [
    "__proto__",
    "constructor",
    "hasOwnProperty",
    "toString",
    "__defineGetter__",
    "then",
    "\0",
    "\u202e",
  ];
  const html = `<p class=item>One</p><b>Two</b>`;
  const told = await run(
    html,
    ...names.map((name): Step => ({ type: "get_text", field_name: `${name}2`, selector: "b" })),
    { type: "get_text", field_name: "__proto__", selector: "b" },
    list(...names.slice(1).map((name) => ({ name }))),
  );
  expect(told.failure).toBeUndefined();
  const [row = {}] = told.rows;
  expect(Object.keys(row).sort()).toEqual([...names, ...names.map((name) => `${name}2`)].sort());
  expect(Object.getOwnPropertyDescriptor(row, "__proto__")?.value).toBe("Two");
  const [alone = {}] = (await run(html, list({ name: "__proto__" }))).rows;
  expect(JSON.stringify(alone)).toBe('{"__proto__":"One"}');
});
