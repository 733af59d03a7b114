import { expect, test } from "@jest/globals";
import { ScraperDefinition } from "../../../functions/contract/scraper.ts";
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
])("%j is a step", (step) => {
  expect(withStep(step)).not.toThrow();
});

test.each([
  [{ type: "hover" }, "needs a field_name or a selector"],
  [{ type: "wait" }, "needs one of these"],
  [{ type: "wait", gone: true }, "needs one of these"],
  [{ type: "wait", text: "Ready", selector: ".ready" }, "needs one of these"],
  [{ type: "wait", text: "Ready", value: 100 }, "needs one of these"],
  [{ type: "wait", value: 100, gone: true }, "gone requires a selector or a text"],
  [{ type: "wait", text: "" }, "must not be empty"],
])("%j is refused", (step, message) => {
  expect(withStep(step)).toThrow(`steps[0]`);
  expect(withStep(step)).toThrow(message);
});
