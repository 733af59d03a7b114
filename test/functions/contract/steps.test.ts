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
