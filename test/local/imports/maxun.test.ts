import { expect, test } from "@jest/globals";
import { readDefinition } from "../../../functions/scrapers/definition.ts";
import { ImportError, importDefinition } from "../../../local/imports/import-definition.ts";

/* Robots in the shape that Maxun stores, and what becomes of them. */

const START = "https://shop.example/";
const action = (name: string, ...args: unknown[]) => ({ action: name, args });
const goto = [action("goto", START), action("waitForLoadState", "networkidle")];
const list = (config: object) =>
  action("scrapeList", { listSelector: "div.card", fields: { name: field("h2") }, ...config });
const field = (selector: string, attribute = "innerText") => ({
  selector,
  attribute,
  tag: "DIV",
  isShadow: false,
});

/** A robot whose recording carries out these groups of actions, in this order. */
const robot = (...groups: object[][]) => ({
  id: "a",
  recording_meta: { name: "Books", type: "extract" },
  recording: {
    workflow: groups.toReversed().map((what) => ({ where: { url: START }, what })),
  },
});

const imported = (json: object) => {
  const { definition, leftOut } = importDefinition(json);
  readDefinition(definition);
  return { ...definition, leftOut };
};

const visit = { type: "visit", url: START };
const nameField = { name: "name", selector: "h2" };
const getList = { type: "get_list", selector: "div.card", fields: [nameField] };

test.each<[string, object[][], object]>([
  [
    "a list of the first page",
    [goto, [list({ limit: 10, pagination: { type: "", selector: "" } })]],
    { steps: [visit, getList], pagination: { type: "none" }, rows_limit: 10, leftOut: [] },
  ],
  [
    "each kind of pagination: the next page",
    [goto, [list({ pagination: { type: "clickNext", selector: "a.next, a[rel='next'], li > a" } })]],
    { steps: [visit, getList], pagination: { type: "next_button", selector: "a.next" }, leftOut: [] },
  ],
  [
    "each kind of pagination: a button for more",
    [goto, [list({ pagination: { type: "clickLoadMore", selector: "//button[text()='More, please']" } })]],
    {
      steps: [visit, getList],
      pagination: { type: "load_more", selector: "xpath=//button[text()='More, please']" },
      leftOut: [],
    },
  ],
  [
    "each kind of pagination: scrolling",
    [goto, [list({ pagination: { type: "scrollDown", selector: "" } })]],
    { steps: [visit, getList], pagination: { type: "infinite_scroll" }, leftOut: [] },
  ],
  [
    "each kind of pagination: one that can't be expressed",
    [goto, [list({ pagination: { type: "scrollUp", selector: "" } })]],
    {
      steps: [visit, getList],
      pagination: { type: "none" },
      leftOut: ["scrapeList: its pagination scrollUp can't be expressed."],
    },
  ],
  [
    "fields by selectors from the top of the page, and by XPath",
    [
      goto,
      [
        list({
          fields: {
            link: field("div.card > a", "href"),
            text: field("div.card p.text"),
            card: field("div.card", "innerHTML"),
            sku: field("b", "data-sku"),
          },
        }),
        action("scrapeList", {
          listSelector: "//div[@class='row']",
          fields: {
            price: field("//div[@class='row']/span[2]"),
            first: field("//div[@class='row'][1]/b"),
            other: field("//header/h1"),
          },
        }),
      ],
    ],
    {
      steps: [
        visit,
        {
          ...getList,
          fields: [
            { name: "link", selector: "> a", attribute: "href" },
            { name: "text", selector: "p.text" },
            { name: "card", text: "html" },
            { name: "sku", selector: "b", attribute: "data-sku" },
          ],
        },
        {
          type: "get_list",
          selector: "xpath=//div[@class='row']",
          fields: [
            { name: "price", selector: "xpath=./span[2]" },
            { name: "first", selector: "xpath=./b" },
            { name: "other", selector: "xpath=//header/h1" },
          ],
        },
      ],
      pagination: { type: "none" },
      leftOut: ["scrapeList: the field other has a selector that is not inside of its row: //header/h1"],
    },
  ],
  [
    "actions, and values of the page",
    [
      goto,
      [action("click", "button.accept"), action("waitForTimeout", 500)],
      [action("hover", "nav"), action("fill", "input[type=date]", "2026-11-26")],
      [action("selectOption", "select", "fiction"), action("keyboard.press", "Enter")],
      [action("goto", `${START}all`), action("click", "iframe#shop :>> a.all")],
      [
        action("scrapeSchema", {
          title: field("h1"),
          image: field("host-element >> img", "src"),
          short: ".short",
        }),
      ],
    ],
    {
      steps: [
        visit,
        { type: "click", selector: "button.accept" },
        { type: "hover", selector: "nav" },
        { type: "write_input", selector: "input[type=date]", value: "2026-11-26" },
        { type: "select_dropdown", selector: "select", value: "fiction" },
        { type: "press_key", value: "Enter" },
        { type: "visit", url: `${START}all` },
        { type: "click", selector: "a.all", frame: "iframe#shop" },
        { type: "get_text", field_name: "title", selector: "h1" },
        { type: "get_text", field_name: "image", selector: "host-element >> img", attribute: "src" },
        { type: "get_text", field_name: "short", selector: ".short" },
      ],
      pagination: { type: "none" },
      leftOut: [],
    },
  ],
  [
    "encrypted text, and what can't be expressed",
    [
      goto,
      [action("press", "#q", "a1:b2", "text"), action("press", "#q", "c3:d4", "text")],
      [action("type", "#password", "e5:f6", "password"), action("screenshot", { fullPage: true })],
      [list({}), action("goBack"), action("crawl", { mode: "domain" })],
    ],
    {
      steps: [
        visit,
        { id: "input-1", type: "write_input", selector: "#q", value: "{{secret:input-1}}" },
        { id: "input-2", type: "write_input", selector: "#password", value: "{{secret:input-2}}" },
        getList,
      ],
      pagination: { type: "none" },
      leftOut: [
        expect.stringMatching(/^press: the text for #q is encrypted .* gleaner secret set input-1\.$/),
        expect.stringMatching(/^type: the text for #password is encrypted/),
        "screenshot: it can't be expressed.",
        "goBack: it can't be expressed.",
        "crawl: it can't be expressed.",
      ],
    },
  ],
  [
    "two lists",
    [
      goto,
      [
        list({ limit: 5, pagination: { type: "clickNext", selector: ".next" } }),
        list({ limit: 7, pagination: { type: "scrollDown" } }),
      ],
    ],
    {
      steps: [visit, getList, getList],
      pagination: { type: "infinite_scroll" },
      rows_limit: 12,
      leftOut: [
        "scrapeList: only the last list has a pagination. Of the others, the first page is read.",
        "scrapeList: the limits of all lists together are the limit of the run's rows.",
      ],
    },
  ],
])("%s", (_, groups, expected) => {
  expect(imported(robot(...groups))).toEqual({ name: "Books", ...expected });
});

test("a recording without a robot, and the schedule of a robot", () => {
  const { recording } = robot(goto, [list({})]);
  expect(imported({ meta: { name: "Plain" }, ...recording })).toMatchObject({ name: "Plain", leftOut: [] });
  const scheduled = { ...robot(goto, [list({})]), schedule: { runEvery: 1 }, webhooks: [{ url: START }] };
  expect(imported(scheduled).leftOut).toEqual([
    "schedule: set the schedule of the scraper.",
    "webhooks: set the webhook_url of the scraper.",
  ]);
});

test("a robot that reads nothing is refused", () => {
  expect(() => importDefinition(robot(goto, [action("crawl", {})]))).toThrow(ImportError);
});
