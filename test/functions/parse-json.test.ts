import { describe, expect, test } from "@jest/globals";
import { jsonInScript, readJson } from "../../functions/parse-json.ts";

const jsonIn = (text: string) => readJson(text).value;

test.each([
  ["JSON", '[{"a":1}]'],
  ["after )]}',", `)]}',\n[{"a":1}]`],
  ["after )]}'", `)]}'[{"a":1}]`],
  ["after an endless loop", 'for (;;);[{"a":1}]'],
  ["after {}&&", '{} && [{"a":1}]'],
  ["in brackets", '([{"a":1}])'],
  ["in a call", 'jQuery1_2([{"a":1}]);\n'],
  ["in a call of a function that has to be there", `/**/ typeof a.b === 'function' && a.b([{"a":1}]);`],
  ["in a call after comments", '// API callback\n/*O_o*/\na.b.c([{"a":1}])'],
])("%s", (_, text) => {
  expect(jsonIn(text)).toEqual([{ a: 1 }]);
});

test("lines are a list, with all digits of their numbers", () => {
  expect(jsonIn('{"a":1}\r\n\r\n{"a":12345678901234567890}\r\n')).toEqual([
    { a: 1 },
    { a: "12345678901234567890" },
  ]);
});

describe.each([
  ["nothing", ""],
  ["lines that break off", '{"a":1}\n{"a":'],
  ["lines with a comma missing between them", '{"a":1\n"b":2}'],
  ["broken JSON with what looks like an assignment", '[{"a":"x=[1]"},{"b'],
  ["a call with what is no JSON", "a({ b: 1 });"],
  ["two calls", 'a({"b":1});a({"b":2});'],
  ["a call of what another call returns", 'a({"b":1})({"b":2})'],
])("%s", (_, text) => {
  test.each([jsonIn, jsonInScript])("is no JSON", (parse) => {
    expect(() => parse(text)).toThrow(SyntaxError);
  });
});

test("only a script may assign it, and what it passes to a function does not count", () => {
  const script = 'go({"b":1});window.A = {"a":[1]};';
  expect(() => jsonInScript('go({"b":1});')).toThrow(SyntaxError);
  expect(jsonInScript(script)).toEqual({ a: [1] });
  expect(() => jsonIn(script)).toThrow(SyntaxError);
});

test.each(["a", " ", "/*", "/**/", "//\n", "a.", "typeof ", "a && ", ")", "(", "a(", "{}", "1\n", "[", ";"])(
  "a long text of %j takes no long time",
  (part) => {
    const text = part.repeat(1_000_000);
    const start = performance.now();
    for (const hostile of [`${text}-`, `a(${text}`, `${text}x`, `a({"b":1})${text}x`])
      expect(() => jsonIn(hostile)).toThrow(SyntaxError);
    expect(performance.now() - start).toBeLessThan(2_000);
  },
);
