import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "@jest/globals";
import { forConsole } from "../../console/format/advice.ts";
import { PROJECT_FOLDER } from "../../lib/project-folder.ts";

/** The console reads what a service on one machine tells it in the page. */
function setFacts(facts: object): void {
  globalThis.document = {
    querySelector: () => ({ content: JSON.stringify(facts) }),
  } as unknown as Document;
}

afterAll(() => {
  Reflect.deleteProperty(globalThis, "document");
});

const source = ["scraping", "inspections", "runs", "workers"].flatMap((folder) =>
  readdirSync(join(PROJECT_FOLDER, "functions", folder), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts") && !/bundles|page-script/.test(file))
    .flatMap((file) => readFileSync(join(PROJECT_FOLDER, "functions", folder, file), "utf8").split("\n")),
);
/** The settings that messages of the service write as JSON. */
const settings = source
  .filter((line) => !/^\s*(?:\*|\/)/.test(line) && /[a-z] [a-z]+ [a-z]/.test(line))
  .flatMap((line) => [...line.matchAll(/"[a-z_]+": (?:true|false|"[^"]*"|\[[^\]]*\]|\$\{[^}]*\})/g)])
  .map(([setting]) => setting.replace(/\$\{[^}]*\}/, setting.includes('"$') ? "data-src" : "1000"));

test("every setting in a message of the service is in the words of the console, or said to be in the JSON", () => {
  setFacts({});
  expect(settings.length).toBeGreaterThan(6);
  for (const setting of settings) expect(forConsole(`To do so, set ${setting}.`)).toMatch(/“|in the JSON/);
});

test.each([
  ['add a field with "attribute": "data-src".', "add a field with “Attribute” set to data-src."],
  ['To keep it, set "rows_limit": 1000.', "To keep it, set “Maximum rows” to 1000."],
  ['Set "all": true to get all.', 'Set "all": true in the JSON of the definition to get all.'],
  ["mark the step as optional.", "tick “Continue if the element is not there” in the step."],
])("%s", (message, words) => {
  setFacts({});
  expect(forConsole(message)).toBe(words);
});

test("a missing secret is added where the console can set secrets", () => {
  const message =
    'The account has no secret "x". Ask the operator of the service to set it, on AWS with `--stack`: `npx gleaner secret set x --account default`. Then run the scraper again.';
  setFacts({ setsSecrets: true });
  expect(forConsole(message)).toBe(
    'The account has no secret "x". Add it on the settings page. Then run the scraper again.',
  );
  setFacts({});
  expect(forConsole(message)).toBe(message);
});
