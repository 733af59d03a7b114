import assert from "node:assert/strict";
import { test } from "node:test";
import {
  inputsOf,
  itemOfChange,
  overridesOf,
  secondsToRetry,
  stepOptions,
} from "../nodes/Gleaner/mapping.ts";

const steps = [
  { id: "open", type: "visit" },
  { id: "search", type: "write_input", field_name: "Search" },
  { id: "sort", type: "select_dropdown" },
  { id: "rows", type: "get_list" },
];

test("a dropdown has the steps that can be set", () => {
  assert.deepEqual(stepOptions(steps), [
    { name: "open (visit)", value: "open" },
    { name: 'search (write_input "Search")', value: "search" },
    { name: "sort (select_dropdown)", value: "sort" },
  ]);
});

test("a value sets the address of a visit, and the value of other steps", () => {
  const values = [
    { step: "open", value: "https://a.example/" },
    { step: "search", value: "lamp" },
    { step: "sort", value: "" },
  ];
  assert.deepEqual(overridesOf(values, steps), [
    { id: "open", url: "https://a.example/" },
    { id: "search", value: "lamp" },
    { id: "sort", value: "" },
  ]);
  for (const step of ["rows", "none"]) {
    assert.throws(() => overridesOf([{ step, value: "x" }], steps), /It has: open, search, sort\.$/);
  }
});

test("the fields of items become inputs with texts", () => {
  const items = [{ search: "lamp", page: 2, isNew: false, tags: ["a"], none: null, missing: undefined }, {}];
  assert.deepEqual(inputsOf(items), [{ search: "lamp", page: "2", isNew: "false", tags: '["a"]' }, {}]);
});

test("a change becomes an item", () => {
  const row = { sku: "1" };
  assert.deepEqual(itemOfChange({ kind: "new", row }), { change: "new", row, old: null });
  assert.deepEqual(itemOfChange({ kind: "changed", row, old: { price: "2" } }), {
    change: "changed",
    row,
    old: { price: "2" },
  });
});

test("a request is repeated when the service says so", () => {
  assert.equal(secondsToRetry(429, { "retry-after": "7" }, 0), 7);
  assert.equal(secondsToRetry(503, {}, 2), 4);
  assert.equal(secondsToRetry(503, { "retry-after": "soon" }, 9), 10);
  for (const status of [400, 401, 404, 500])
    assert.equal(secondsToRetry(status, { "retry-after": "7" }, 0), undefined);
});
