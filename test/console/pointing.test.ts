import { describe, expect, test } from "@jest/globals";
import {
  fieldOf,
  isStepOf,
  newDefinition,
  stepFor,
  withCleaned,
  withList,
  withRenamedField,
  withRequired,
} from "../../console/record/model/definition.ts";
import { factsOf, isRead } from "../../console/record/model/findings.ts";
import {
  pathDefinition,
  uncheckedSession,
  withFoundCheck,
} from "../../console/record/model/inspected-definition.ts";
import { Pointing, suggestedName } from "../../console/record/model/pointing.ts";
import { Recorder } from "../../console/record/model/recorder.ts";
import { newTransform, problemOf } from "../../console/values/transforms.ts";
import { exampleInspection } from "../../functions/contract/examples.ts";
import type { Inspection } from "../../functions/contract/inspections/inspection.ts";

type Transform = Parameters<typeof problemOf>[0];
type List = NonNullable<Inspection["lists"]>[number];
type Field = List["fields"][number];

const field = (name: string, selector: string, rest: Partial<Field> = {}): Field => ({
  ...{ name, selector, kind: "text", filled: 1, distinct: 2, samples: [] },
  ...rest,
});

/*
 * Two rows: 1 and 5. In each: a title, "by" with an author inside, and an icon in the title. Only the second row has an
 * old price.
 */
const elements: [number, string, string][] = [
  [-1, "ul", ""],
  [0, "li", ""],
  [1, "h3", "Dune"],
  [1, "p", "by"],
  [3, "b", "F. Herbert"],
  [0, "li", ""],
  [5, "h3", "Emma"],
  [5, "p", "by"],
  [7, "b", "J. Austen"],
  [5, "del", "$9"],
  [6, "svg", ""],
];
const list: List = {
  ...{ type: "get_list" as const, selector: "li", count: 2, sample_rows: [], score: 1_000, row_refs: [1, 5] },
  fields: [field("title", "h3"), field("text", "p")],
  cell_refs: [
    [2, 6],
    [3, 7],
  ],
  other_fields: [field("author", "b"), field("old", "del", { filled: 0.5, distinct: 1 })],
  other_cell_refs: [
    [4, 8],
    [null, 9],
  ],
};

function opened() {
  const recorder = new Recorder();
  recorder.look.value = {
    ...exampleInspection,
    lists: [list, { ...list, selector: "ul", row_refs: [0], cell_refs: [], fields: [field("title", "h3")] }],
    map: {
      elements: elements.map(([parent, tag, text], at) => [parent, tag, 0, 0, 10, 10, text, 0, at]),
      handles: [],
    },
  };
  recorder.definition.value = {
    name: "Books",
    steps: [{ type: "visit", url: "https://books.example.com/" }, stepFor(list)],
  };
  const pointing = new Pointing(recorder);
  const at = (ref: number) => {
    const element = recorder.map.value?.byRef(ref);
    if (element === undefined) throw new Error("There is no such element");
    return element;
  };
  const names = () => recorder.list.value?.fields.map(({ name }) => name);
  return { recorder, pointing, at, names };
}

describe("a click on a value", () => {
  test("adds a value that few rows have, as the pointer says", () => {
    const { pointing, at, names } = opened();
    expect(pointing.does(at(9))).toBe("Add: $9 (in 1 of 2 rows)");
    pointing.use(at(9));
    expect(names()).toEqual(["title", "text", "old"]);
  });

  test("adds a part of a value, and keeps the column of the whole", () => {
    const { pointing, at, names } = opened();
    expect(pointing.does(at(8))).toBe("Add: J. Austen");
    pointing.use(at(8));
    expect(names()).toEqual(["title", "text", "author"]);
    expect(pointing.does(at(8))).toBe("Remove the column author");
  });

  test("removes the column of a value, also by an icon in it", () => {
    const { pointing, at, names } = opened();
    expect(pointing.does(at(10))).toBe("Remove the column title");
    pointing.use(at(10));
    expect(names()).toEqual(["text"]);
    expect(pointing.does(at(3))).toBe("The only column");
  });
});

test("what is recorded in a frame has the frame", () => {
  const { recorder, pointing, at } = opened();
  const frame = ["#shop"];
  const look = recorder.look.value as Inspection;
  const map = look.map as NonNullable<Inspection["map"]>;
  const handles: [number, string, string][] = [[6, "", ".old"]];
  recorder.look.value = { ...look, map: { ...map, handles, frames: [{ from: 5, frame }] } };
  expect(stepFor({ ...list, frame }).frame).toEqual(frame);
  expect(isStepOf(stepFor({ ...list, frame }), list)).toBe(false);
  pointing.setMode("click");
  pointing.use(at(6));
  expect(recorder.definition.value?.steps[1]).toEqual({ type: "click", selector: ".old", frame });
  recorder.stop();
});

test("a list that is chosen again has the columns that it had", () => {
  const { recorder, pointing, at, names } = opened();
  pointing.use(at(9));
  recorder.choose(1);
  expect(names()).toEqual(["title"]);
  recorder.choose(0);
  expect(names()).toEqual(["title", "text", "old"]);
  recorder.stop();
});

test("rows are read again once a column is required, and once it is not", () => {
  const { recorder } = opened();
  const { value: definition } = recorder.definition;
  const { value: step } = recorder.list;
  if (definition === undefined || step === undefined) throw new Error("There is no list");
  const required = withRequired(step, "title", true);
  expect(required.fields[0]).toEqual({ name: "title", selector: "h3", required: true });
  expect(withRequired(required, "title", false)).toEqual(step);
  const check = (list: typeof step) => ({ list, inspection: exampleInspection });
  expect(isRead(definition, check(step))).toBe(true);
  expect(isRead(withList(definition, required), check(step))).toBe(false);
  expect(isRead(definition, check(required))).toBe(false);
});

test("a list of JSON is that of its elements, with all of its fields, and clicks on elements don't change it", () => {
  const { recorder, at, pointing } = opened();
  const { value: definition } = recorder.definition;
  if (definition === undefined) throw new Error("There is no definition.");
  const facts = { kind: "text" as const, filled: 1, distinct: 2, samples: [] };
  const from_json = {
    ...{ type: "get_list" as const, json: { source: "#data", path: "$.books[*]" }, count: 2, matched: 2 },
    fields: [{ name: "tags", path: "$.tags[*]", all: true, ...facts }],
    ...{ sample_rows: [], differences: [] },
  };
  const withJson = { ...list, from_json };
  const step = stepFor(withJson, [{ name: "title", selector: "h3" }], true);
  expect(step).toEqual({
    ...{ type: "get_list", json: from_json.json },
    fields: [{ name: "tags", path: "$.tags[*]", all: true }],
  });
  expect(from_json.fields.map(fieldOf)).toEqual(step.fields);
  const stored = { ...step, json: { path: "$.books[*]", source: "#data" } };
  expect([isStepOf(stored, withJson), isStepOf(stored, list), isStepOf(stepFor(list), withJson)]).toEqual([
    ...[true, false, true],
  ]);
  recorder.look.value = { ...exampleInspection, ...recorder.look.value, lists: [withJson] };
  recorder.definition.value = withList(definition, stored);
  expect([recorder.chosen.value, recorder.proposal.value]).toEqual([0, from_json]);
  expect(pointing.does(at(2))).toBe("Read from JSON");
  pointing.use(at(2));
  expect(recorder.hint.value).toMatch(/^The rows are read from JSON/);
  expect(recorder.list.value).toEqual(stored);
});

test("transforms of a column have the rows read again, but a name does not; what is known follows the name", () => {
  const { recorder } = opened();
  const { value: definition } = recorder.definition;
  const { value: step } = recorder.list;
  if (definition === undefined || step === undefined) throw new Error("There is no list.");
  const changed = withCleaned(step, "title", { transform: [{ type: "lower" }], required: true });
  expect(changed.fields[0]).toEqual({
    ...{ name: "title", selector: "h3", transform: [{ type: "lower" }], required: true },
  });
  expect(withCleaned(changed, "title", {})).toEqual(step);
  const facts = { name: "title", kind: "text", filled: 1, distinct: 2, samples: [] } as const;
  const fields = [{ ...facts, samples: ["Dune"] }];
  const check = { list: step, inspection: { ...exampleInspection, fields } };
  expect(isRead(withList(definition, changed), check)).toBe(false);
  const renamed = withRenamedField(step, "title", "book");
  expect(isRead(withList(definition, renamed), check)).toBe(true);
  expect(factsOf(renamed, check, "book")?.samples).toEqual(["Dune"]);
  expect(stepFor(list, changed.fields)).toEqual(changed);
});

test.each<[Transform, string | undefined]>([
  [newTransform("number"), undefined],
  [{ type: "date", locale: "en-GB" }, undefined],
  [{ type: "number", locale: "deutsch!" }, "locale"],
  [newTransform("regex"), "pattern"],
  [{ type: "regex", pattern: "(" }, "pattern"],
  [{ type: "regex", pattern: "now (.*)" }, undefined],
  [newTransform("split"), "separator"],
  [{ type: "split", separator: "/", part: 0 }, "part"],
  [{ type: "split", separator: "/", part: -1 }, undefined],
  [newTransform("strip"), undefined],
])("%j is wrong in its %s", (transform, part) => {
  expect(problemOf(transform)?.part).toBe(part);
});

test.each([
  ["its label", 3, 'dt:text-is("Release date") + dd', "release_date"],
  ["its itemprop", 3, '[itemprop="author"]', "author"],
  ["its class", 3, "main .shelf-mark", "shelf_mark"],
  ["its tag", 2, "h3:nth-of-type(2)", "title"],
  ["nothing", 3, "p:nth-of-type(2)", "value"],
])("a single value is named after %s", (_, ref, selector, name) => {
  const { recorder, at } = opened();
  expect(suggestedName(at(ref), selector, recorder.map.value?.elements ?? [])).toBe(name);
});

test("a session begins inspections without a check, until the page shows what tells that it is signed in", () => {
  const definition = {
    ...newDefinition("https://shop.example/"),
    session: { name: "shop", check: { text: "" } },
  };
  expect([uncheckedSession(definition), "session" in pathDefinition(definition)]).toEqual([
    ...[{ session: "shop" }, false],
  ]);
  const map = { elements: [[-1, "a", 0, 0, 9, 9, "Log out", 1, 0]], handles: [] };
  const found = withFoundCheck(definition, { ...exampleInspection, map });
  expect(found.session).toEqual({ name: "shop", check: { text: "Log out" } });
  expect([uncheckedSession(found), pathDefinition(found).session]).toEqual([{}, found.session]);
  expect(withFoundCheck(definition, { ...exampleInspection, map: null })).toEqual(definition);
  const own = { ...definition, session: { name: "shop", check: { selector: ".me" } } };
  expect(withFoundCheck(own, { ...exampleInspection, map })).toEqual(own);
});
