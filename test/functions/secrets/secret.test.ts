import { describe, expect, test } from "@jest/globals";
import { ScraperDefinition } from "../../../functions/contract/scrapers/scraper.ts";
import { ValidationError, validate } from "../../../functions/contract/validate.ts";
import { belongsTo } from "../../../functions/secrets/hosts.ts";
import { fromStored, NewSecret, toStored } from "../../../functions/secrets/secret.ts";
import { fc } from "../../fast-check.ts";

/** Paths and messages of what is wrong with an input; empty when nothing is. */
function problemsOf(schema: Parameters<typeof validate>[0], input: unknown): string[] {
  try {
    validate(schema, input);
    return [];
  } catch (error) {
    if (!(error instanceof ValidationError)) throw error;
    return error.problems.map(({ path, message }) => `${path} ${message}`);
  }
}

describe("a secret that is set", () => {
  const fine = { name: "shop_Password-1", value: "hunter2", hosts: [] };

  test.each([
    ["name", { name: "" }],
    ["name", { name: "a b" }],
    ["name", { name: "../other" }],
    ["name", { name: "x".repeat(65) }],
    ["value", { value: "abc" }],
    ["value", { value: "  a   " }],
    ["value", { value: "abc\0def" }],
    ["", { value: "x".repeat(5_000) }],
    ["hosts[0]", { hosts: ["https://shop.example/"] }],
    ["hosts[0]", { hosts: ["*.shop.example"] }],
    ["hosts[0]", { hosts: [""] }],
    ["hosts[0]", { hosts: ["user@shop.example"] }],
  ])("is refused for its %s: %j", (path, change) => {
    expect(problemsOf(NewSecret, fine)).toEqual([]);
    expect(problemsOf(NewSecret, { ...fine, ...change }).map((problem) => problem.split(" ")[0])).toEqual([
      path,
    ]);
  });

  test("is not quoted where it is refused", () => {
    const value = `hunter2${"x".repeat(5_000)}`;
    expect(problemsOf(NewSecret, { ...fine, value }).join()).not.toContain("hunter2");
    expect(problemsOf(NewSecret, { ...fine, value: "abc" }).join()).not.toContain("abc");
  });

  test("has its hosts written as addresses write them", () => {
    const hosts = ["Shop.Example", "müller.example:8443", "[::1]:80", "127.0.0.1"];
    expect(validate(NewSecret, { ...fine, hosts }).hosts).toEqual([
      "shop.example",
      "xn--mller-kva.example:8443",
      "[::1]:80",
      "127.0.0.1",
    ]);
  });

  test("is kept as a text that SSM takes and that gives it back", () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom("{", "}", '"', "\\", "a") }), (value) => {
        const stored = toStored({ value, hosts: ["a.example"] });
        expect(stored).not.toContain("{{");
        expect(fromStored(stored)).toEqual({ value, hosts: ["a.example"] });
      }),
    );
  });
});

test.each([
  ["https://shop.example/login", true],
  ["http://shop.example:8080/", true],
  ["https://SHOP.example/", true],
  ["https://pay.example/", true],
  ["https://pay.example:8443/", false],
  ["http://pay.example/", false],
  ["https://www.shop.example/", false],
  ["https://shop.example.evil.example/", false],
  ["https://evil.example/?https://shop.example/", false],
  ["https://shop.example@evil.example/", false],
  ["data:text/html,shop.example", false],
  ["about:blank", false],
  ["", false],
])("%s is of shop.example or pay.example:443: %j", (address, expected) => {
  expect(belongsTo(["shop.example", "pay.example:443"], address)).toBe(expected);
});

describe("a definition", () => {
  const definition = {
    name: "Orders",
    steps: [
      { type: "visit", url: "https://shop.example/?key={{secret:key}}" },
      { type: "write_input", field_name: "Password", value: "{{secret:a_B-9}}{{secret:key}}" },
      { type: "get_list", selector: "li", fields: [{ name: "text" }] },
    ],
    pagination: { type: "url_template", url: "https://shop.example/{page}?key={{secret:key}}" },
  };
  const withSteps = (...steps: object[]) => ({ ...definition, steps: [...definition.steps, ...steps] });

  test("may refer to secrets in addresses and in what is typed", () => {
    expect(problemsOf(ScraperDefinition, definition)).toEqual([]);
  });

  test.each([
    "{{secret:}}",
    "{{secret: x}}",
    "{{ secret:x }}",
    "{{secret:x}",
    "{{SECRET:x}}",
    "{{secret:a.b}}",
    "{{secret}}",
  ])("with %s is refused", (value) => {
    expect(problemsOf(ScraperDefinition, withSteps({ type: "write_input", value: `a${value}b` }))).toEqual([
      expect.stringMatching(/^steps\[3\]\.value must refer to a secret as \{\{secret:name\}\}/),
    ]);
    const visit = { type: "visit", url: `https://shop.example/?a=${value}` };
    expect(problemsOf(ScraperDefinition, withSteps(visit))).toEqual([
      expect.stringMatching(/^steps\[3\]\.url must refer/),
    ]);
  });

  test("is told of every place where no secret would be filled in", () => {
    const reference = "{{secret:key}}";
    const wrong = {
      ...withSteps(
        { type: "select_dropdown", value: reference },
        { type: "click", field_name: reference },
        { type: "get_list", selector: "li", fields: [{ name: reference }] },
      ),
      name: reference,
      webhook_url: `https://hooks.example/${reference}`,
    };
    expect(
      problemsOf(ScraperDefinition, wrong).map((problem) => problem.split(" must not refer")[0]),
    ).toEqual(["name", "steps[3].value", "steps[4].field_name", "steps[5].fields[0].name", "webhook_url"]);
  });

  test.each([
    "https://{{secret:a}}/",
    "https://{{secret:a}}.shop.example/",
    "https://u:{{secret:a}}@shop.example/",
  ])("may not leave the host to a secret: %s", (url) => {
    expect(problemsOf(ScraperDefinition, withSteps({ type: "visit", url }))).not.toEqual([]);
  });
});
