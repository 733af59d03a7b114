import { expect, test } from "@jest/globals";
import { exampleInspection } from "../../../functions/contract/examples.ts";
import { ScraperDefinition } from "../../../functions/contract/scrapers/scraper.ts";
import { validate } from "../../../functions/contract/validate.ts";

const visiting = (url: string) => () =>
  validate(ScraperDefinition, { name: "Test", steps: [{ id: "open", type: "visit", url }] });

test.each([
  "file:///etc/passwd",
  "FILE:/etc/passwd",
  "data:text/html,<p>x",
  "blob:https://shop.example/0b7a",
  "chrome://settings",
  "view-source:https://shop.example/",
  "about:blank",
  "javascript:alert(1)",
  "ftp://shop.example/",
  "ws://shop.example/",
  "http://user:password@shop.example/",
  "//shop.example/",
  "http://",
])("%s is no address to visit", (url) => {
  expect(visiting(url)).toThrow("steps[0].url: must be an absolute http:// or https:// URL");
});

test("http and https URLs are valid", () => {
  expect(visiting("http://shop.example/")).not.toThrow();
  expect(visiting("HTTPS://shop.example:8443/a?b#c")).not.toThrow();
});

const withStep = (step: object) => () => validate(ScraperDefinition, { name: "Test", steps: [step] });

test.each([
  { type: "hover", field_name: "Menu", timeout_ms: 500, optional: true },
  { type: "hover", selector: ".menu", frame: "#app" },
  { type: "wait", text: "results found", frame: "#app" },
  { type: "wait", text: "Loading", gone: true, optional: true },
  { type: "wait", selector: ".spinner", gone: true },
  { type: "wait", value: 100 },
  { type: "get_text", field_name: "a", selector: "b", text: "own_text", all: true, separator: "" },
  {
    type: "get_text",
    field_name: "a",
    transform: [
      { type: "regex", pattern: "(\\d+)|x" },
      { type: "number", locale: "de-CH" },
    ],
  },
  { type: "get_text", field_name: "a", json: { source: "#data", path: "$.total" }, all: true },
  { type: "get_list", json: { path: "$[*]" }, fields: [{ name: "a", path: "$" }] },
  {
    type: "get_list",
    json: { source: "response:*/api/items*", path: "$.items[?@.price < 10]" },
    key: ["a"],
    fields: [
      { name: "a", path: "$['odd key']", required: true },
      { name: "b", list: { path: "$.sizes[*]", fields: [{ name: "c", path: "$.size" }] } },
    ],
    details: { url_field: "a", fields: [{ name: "d", json: { source: "#data", path: "$.d" } }] },
  },
])("%j is a step", (step) => {
  expect(withStep(step)).not.toThrow();
});

test.each([
  [{ type: "hover" }, "requires a field_name or a selector"],
  [{ type: "wait" }, "requires one of these"],
  [{ type: "wait", gone: true }, "requires one of these"],
  [{ type: "wait", text: "Ready", selector: ".ready" }, "requires one of these"],
  [{ type: "wait", text: "Ready", value: 100 }, "requires one of these"],
  [{ type: "wait", value: 100, gone: true }, "gone requires a selector or a text"],
  [{ type: "wait", text: "" }, "must not be empty"],
  [{ type: "get_text", field_name: "a", all: true }, "all requires a selector"],
  [
    { type: "get_text", field_name: "a", text: "value", attribute: "id" },
    "not have both an attribute and a text",
  ],
  [{ type: "get_list", fields: [{ name: "a" }] }, "requires a selector of the rows, or json"],
  [{ type: "get_list", selector: "li", json: { path: "$" }, fields: [{ name: "a" }] }, "requires a selector"],
  [{ type: "get_list", json: { path: "$" }, fields: [{ name: "a" }] }, "must have fields with a path"],
  [{ type: "get_list", selector: "li", fields: [{ name: "a", path: "$" }] }, "must have fields with a path"],
  [
    { type: "get_list", json: { path: "$" }, fields: [{ name: "a", path: "$", attribute: "id" }] },
    "must read an element or JSON",
  ],
  [
    { type: "get_list", json: { path: "$" }, until: "hr", fields: [{ name: "a", path: "$" }] },
    "must have neither until nor each",
  ],
  [
    { type: "get_list", selector: "li", fields: [{ name: "a", json: { path: "$" } }] },
    "must have no json in its fields",
  ],
  [
    {
      type: "get_list",
      selector: "li",
      fields: [{ name: "a" }],
      details: { url_field: "a", fields: [{ name: "b", path: "$" }] },
    },
    "must have no path",
  ],
  [
    {
      type: "get_list",
      selector: "li",
      fields: [{ name: "a", list: { path: "$", fields: [{ name: "b", path: "$" }] } }],
    },
    "must have fields with a path",
  ],
  [{ type: "get_text", field_name: "a", json: { source: "response:", path: "$" } }, "must have an address"],
  [{ type: "get_text", field_name: "a", selector: "b", json: { path: "$" } }, "must read an element or JSON"],
  ...["items", "$.items[", "$.a b", "$[?@.a==]", "$.a[?(", `$${"[?(".repeat(300)}`].map(
    (path) =>
      [{ type: "get_text", field_name: "a", json: { path } }, "steps[0].json.path: must be a JSONPath"] as [
        object,
        string,
      ],
  ),
  [
    { type: "get_text", field_name: "a", json: { path: "$.items[*" } },
    "must be a JSONPath, such as $.items[*]: unclosed bracketed selection, at character 10",
  ],
  ...([
    [[], "must have at least one transform"],
    [Array.from({ length: 11 }, () => ({ type: "strip" })), "must have at most 10 transforms"],
    [[{ type: "upper" }], "transform[0].type"],
    [[{ type: "lower" }, { type: "absolute" }], "must have absolute only as the first transform"],
    [[{ type: "number", locale: "german" }], "must be a locale"],
    [[{ type: "date", locale: "x-y-z" }], "must be a locale"],
    [[{ type: "date", locale: "" }], "must be a locale"],
    [[{ type: "regex", pattern: "(" }], "must be a regular expression"],
    [[{ type: "regex", pattern: "a\\" }], "must be a regular expression"],
    [[{ type: "regex", pattern: "" }], "must not be empty"],
    [[{ type: "regex", pattern: "(a)(b)" }], "must have at most one group"],
    [[{ type: "split", separator: "", part: 1 }], "must not be empty"],
    [[{ type: "split", separator: "/", part: 0 }], "must not be 0"],
  ].map(([transform, message]) => [{ type: "get_text", field_name: "a", transform }, message]) as [
    object,
    string,
  ][]),
])("%j is refused", (step, message) => {
  expect(withStep(step)).toThrow(`steps[0]`);
  expect(withStep(step)).toThrow(message);
});

test.each([
  [[{ name: "a", list: { selector: "i", fields: [] } }], "must have at least one field"],
  [[{ name: "a", selector: "b", list: { selector: "i", fields: [{ name: "c" }] } }], "nothing but its name"],
  [[{ name: "a" }, { name: "l", list: { selector: "i", fields: [{ name: "a" }] } }], "unique field names"],
  [
    ["l", "m"].map((name) => ({ name, list: { selector: "i", fields: [{ name: `in ${name}` }] } })),
    "at most one field with a list",
  ],
  [[{ name: "a", separator: "," }], 'separator requires "all": true'],
  [[{ name: "a", attribute: "href", text: "html" }], "must not have both an attribute and a text"],
])("fields %j are refused", (fields, message) => {
  expect(withStep({ type: "get_list", selector: "li", fields })).toThrow(message);
});

test("a definition keeps what its fields say", () => {
  const step = {
    type: "get_list",
    selector: "dt",
    until: "hr",
    fields: [
      { name: "a", selector: "dd", text: "full_text", all: true, separator: "|" },
      { name: "b", column: "Price", attribute: "id", all: false },
      { name: "l", list: { selector: "i", fields: [{ name: "c", text: "value" }] } },
    ],
  };
  expect(validate(ScraperDefinition, { name: "Test", steps: [step] }).steps).toEqual([step]);
});

const listing = (list: object, pagination: object = { type: "none" }) =>
  validate(ScraperDefinition, {
    name: "Test",
    steps: [{ type: "get_list", selector: "li", fields: [{ name: "name" }, { name: "sku" }], ...list }],
    pagination,
  });

test("a list's key names one or more of its fields", () => {
  expect(() => listing({ key: ["sku", "name"] })).not.toThrow();
  expect(() => listing({ key: ["price"] })).toThrow("steps[0]: key must name fields of the list");
  expect(() => listing({ key: [] })).toThrow("steps[0].key: must name at least one field");
});

test("infinite_scroll goes on by a button that it names", () => {
  const scroll = (load_more: object) => () => listing({}, { type: "infinite_scroll", load_more });
  expect(scroll({ field_name: "Show more" })).not.toThrow();
  expect(scroll({ selector: "#more" })).not.toThrow();
  expect(scroll({})).toThrow("pagination.load_more: requires a selector or a field_name");
});

test("a list that an inspection proposes can be pasted: what it says of the values is dropped", () => {
  const [list] = exampleInspection.lists ?? [];
  const [proposed] = exampleInspection.pagination ?? [];
  const map = { row_refs: [1], cell_refs: [[1, null]], other_fields: list?.fields, other_cell_refs: [[]] };
  expect(list?.fields[0]).toHaveProperty("kind");
  const { steps, pagination } = validate(ScraperDefinition, {
    name: "Pasted",
    steps: [{ ...list, ...map }],
    pagination: proposed?.pagination,
  });
  expect(pagination).toEqual(proposed?.pagination);
  expect(steps[0]).toEqual({
    type: "get_list",
    selector: list?.selector,
    fields: list?.fields.map(({ name, selector }) => ({ name, selector })),
  });
});

const withEach = (each: object[], more: object = {}) =>
  withStep({ type: "get_list", selector: ".ad", fields: [{ name: "name" }], each, ...more });

test("the steps for each row are valid, also those for the row itself and for the whole page", () => {
  const each = [
    { type: "click" },
    { type: "hover", selector: "b", optional: true },
    { type: "click", field_name: "Close", scope: "page" },
    { type: "wait", text: "Phone", scope: "row" },
    { type: "select_dropdown", selector: "select", value: "Large" },
    { type: "press_key", value: "Escape" },
    { type: "scroll", value: "bottom", selector: ".inner" },
  ];
  expect(withEach(each)).not.toThrow();
  expect(withEach(each, { details: { fields: [{ name: "size" }] } })).not.toThrow();
});

test.each<[string, object[], string]>([
  ["an empty list", [], "steps[0].each: must have at least one step"],
  ["too many steps", Array(11).fill({ type: "click" }), "steps[0].each: must have at most 10 steps"],
  ["a step that reads", [{ type: "get_text", field_name: "a" }], "steps[0].each[0].type"],
  [
    "a click anywhere on the page",
    [{ type: "click", scope: "page" }],
    "steps[0].each[0]: requires a field_name",
  ],
  ["another scope", [{ type: "click", scope: "list" }], "steps[0].each[0].scope"],
])("%s is not valid for each row", (_, each, problem) => {
  expect(withEach(each)).toThrow(problem);
});

test("details need an address, or steps that show them", () => {
  const details = { fields: [{ name: "size" }] };
  expect(withStep({ type: "get_list", selector: ".ad", fields: [{ name: "name" }], details })).toThrow(
    "details require a url_field, or each with steps that show them",
  );
});
