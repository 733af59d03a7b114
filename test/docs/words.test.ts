import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "@jest/globals";
import { PROJECT_FOLDER } from "../../lib/project-folder.ts";

/* The console, the command line and the API call one thing by one word. */

/** Each thing by its word, with words that it must not be called by. */
const WORDS: Record<string, RegExp> = {
  scraper: /\b(?:spider|crawler|extractor|recipe)s?\b/i,
  run: /\b(?:crawls?|(?:scraping|scraper) jobs?)\b/i,
  batch: /\b(?:bulk|campaigns?)\b/i,
  row: /\b(?:records|result sets?)\b/i,
  step: /\b(?:instruction|command of a scraper)s?\b/i,
  pagination: /\b(?:paging|paginator)\b/i,
  schedule: /\b(?:cron|timetable)s?\b/i,
  webhook: /\b(?:callback|postback)s?\b/i,
  "API key": /\b(?:api|access) tokens?\b/i,
  secret: /\b(?:vault|passphrase)s?\b/i,
  credit: /\b(?:quota points?|tokens? left)\b/i,
  selector: /\b(?:locator|css path)s?\b/i,
  "stop a run": /\b(?:cancel|abort|kill|terminate)s? (?:a|the|this) run\b/i,
};

const read = (path: string) => readFileSync(join(PROJECT_FOLDER, path), "utf8");

/** The texts of components: what stands between tags and in attributes, without code and comments. */
const consoleTexts = readdirSync(join(PROJECT_FOLDER, "console"), { recursive: true, encoding: "utf8" })
  .filter((file) => /\.tsx?$/.test(file))
  .flatMap((file) => {
    const code = read(join("console", file)).replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, "");
    const texts = [...code.matchAll(/"([^"\n]* [^"\n]*)"|`([^`]* [^`]*)`|>([^<>{}=;]*[a-z]{3}[^<>{}=;]*)</g)];
    return texts.map(([, quoted, template, text]) => quoted ?? template ?? text ?? "");
  });

/** All descriptions and summaries of the API. */
function descriptionsIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(descriptionsIn);
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, each]) =>
    (key === "description" || key === "summary") && typeof each === "string" ? [each] : descriptionsIn(each),
  );
}

const places: Record<string, readonly string[]> = {
  "the console": consoleTexts,
  "the command line": read("docs/cli.md").split("\n"),
  "the API": descriptionsIn(JSON.parse(read("openapi.json"))),
};

describe.each(Object.entries(places))("in %s", (_, texts) => {
  test.each(Object.entries(WORDS))("%s has no other word", (__, others) => {
    expect(texts.length).toBeGreaterThan(50);
    expect(texts.filter((text) => others.test(text))).toEqual([]);
  });
});

test("the words are found in texts of all three", () => {
  for (const word of ["scraper", "run", "batch", "row", "webhook", "secret", "schedule"])
    for (const texts of Object.values(places))
      expect(texts.filter((text) => new RegExp(`\\b${word}`, "i").test(text))).not.toEqual([]);
});
