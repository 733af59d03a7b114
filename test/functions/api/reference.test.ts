import { readFileSync } from "node:fs";
import { expect, test } from "@jest/globals";
import { referencePage } from "../../../functions/api/reference/page.ts";
import { routes } from "../../../functions/contract/routes.ts";

const document = JSON.parse(readFileSync(new URL("../../../openapi.json", import.meta.url), "utf8"));
const page = referencePage(document);

test("the reference has every route and every schema, and each link leads to a section", () => {
  const ids = [...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
  expect(new Set(ids).size).toBe(ids.length);
  const schemas = Object.keys(document.components.schemas).map((name) => `schema-${name}`);
  expect(ids).toEqual(expect.arrayContaining([...Object.keys(routes), "runFinished", ...schemas]));
  const links = [...page.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id);
  expect(links.filter((id) => !ids.includes(id))).toEqual([]);
});

test("the reference needs no script and nothing of other hosts", () => {
  expect(page).not.toMatch(/<script|<link|<img|<iframe|\son\w+=|@import|url\(/i);
  const links = [...page.matchAll(/(?:href|src)="([^#][^"]*)"/g)].map(([, link]) => link);
  expect(links).toEqual(["/v1/openapi.json"]);
});

test("the reference shows the document's texts as texts", () => {
  const evil = structuredClone(document);
  evil.info.description = "<script>alert(1)</script> `<b>`";
  const shown = referencePage(evil);
  expect(shown).toContain("&lt;script&gt;alert(1)&lt;/script&gt; <code>&lt;b&gt;</code>");
  expect(shown).not.toContain("<script>");
});
