import { existsSync, readFileSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect, test } from "@jest/globals";
import { PROJECT_FOLDER } from "../../lib/project-folder.ts";

const read = (path: string) => readFileSync(join(PROJECT_FOLDER, path), "utf8");

/** The text without code, in which brackets are no links. */
const prose = (markdown: string) =>
  markdown.replace(/^( *)```.*?^\1```$/gms, "").replace(/`[^`\n]*`/g, "code");

/** What GitHub makes of a page's headings. */
const anchorsOf = (markdown: string) =>
  [...markdown.replace(/^( *)```.*?^\1```$/gms, "").matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, "")
      .replaceAll(" ", "-"),
  );

test("each link within the documentation leads to a page and to a heading of it", async () => {
  const docs = (await readdir(join(PROJECT_FOLDER, "docs"), { recursive: true }))
    .filter((name) => name.endsWith(".md"))
    .map((name) => join("docs", name));
  const pages = ["README.md", "CONTRIBUTING.md", "SECURITY.md", "examples/README.md", ...docs];
  const broken: string[] = [];
  for (const page of pages) {
    for (const [, target = ""] of prose(read(page)).matchAll(/\]\(([^)\s]+)\)/g)) {
      if (/^[a-z]+:/.test(target)) continue;
      const [path = "", anchor] = target.split("#");
      const file = path === "" ? page : join(dirname(page), path);
      const isThere = existsSync(join(PROJECT_FOLDER, file));
      if (!isThere || (anchor !== undefined && !anchorsOf(read(file)).includes(anchor)))
        broken.push(`${page}: ${target}`);
    }
  }
  expect(broken).toEqual([]);
});
