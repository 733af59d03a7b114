import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { PROJECT_FOLDER } from "../../lib/project-folder.ts";

const read = (path: string) => readFileSync(join(PROJECT_FOLDER, path), "utf8");
const document = read("docs/security.md");
/** The last cell of each row, by its threat. */
const rows = [...document.matchAll(/^\| (.+?) \|.*\| (.+?) \|$/gm)].filter(
  ([, threat]) => threat !== "threat",
);

/** The tests that a cell names: `file`: "title", "title"; `file`: … */
const namedIn = (cell: string) =>
  [...cell.matchAll(/`(test\/[^`]+)`: ((?:"[^"]+"(?:, )?)+)/g)].flatMap(([, file = "", titles = ""]) =>
    [...titles.matchAll(/"([^"]+)"/g)].map(([, title = ""]) => ({ file, title })),
  );

/** The titles of a source's tests and groups of tests, without a number that one may begin with, and of its pages. */
const titlesOf = (source: string) =>
  [...source.matchAll(/\(\s*(?:"([^"]+)"|`(?:\$\{\w+\} )?([^`]+)`),|^ {2}"([^"]+)": /gm)].map(
    ([, plain, template, page]) => plain ?? template ?? page,
  );

test("every threat names what shows that it is stopped, or says that nothing does", () => {
  expect(rows.length).toBeGreaterThan(50);
  for (const [, threat, cell = ""] of rows) {
    if (!/no test\b/.test(cell)) expect({ threat, tests: namedIn(cell) }).not.toEqual({ threat, tests: [] });
  }
});

test.each(rows.flatMap(([, , cell = ""]) => namedIn(cell).map(({ file, title }) => [file, title] as const)))(
  "%s has: %s",
  (file, title) => {
    expect(existsSync(join(PROJECT_FOLDER, file))).toBe(true);
    expect(titlesOf(read(file))).toContain(title);
  },
);

test("only tests, groups and pages count as such", () => {
  const source = `test("one", () => {\n])(\n"two %s",\n  ["three", 4],\ntest(\`\${runs} runs\`, () =>\n  "a page": {`;
  expect(titlesOf(source)).toEqual(["one", "two %s", "runs", "a page"]);
});
