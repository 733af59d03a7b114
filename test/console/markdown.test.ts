import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { parseMarkdown, spansOf } from "../../console/pages/help/markdown.ts";
import { PROJECT_FOLDER } from "../../lib/project-folder.ts";

test("the parts of a page", () => {
  const text = `# The \`title\`

A paragraph
of two lines.

<picture>
  <img src="x.jpg">
</picture>

- one
  more
- two

1. first

| a | b |
|---|---|
| \`x\\|y\` | z |

\`\`\`sh
# no heading

run
\`\`\`
## When it's late
`;
  expect(parseMarkdown(text)).toEqual([
    { kind: "heading", level: 1, text: "The `title`", id: "the-title" },
    { kind: "paragraph", text: "A paragraph of two lines." },
    { kind: "list", isOrdered: false, items: ["one more", "two"] },
    { kind: "list", isOrdered: true, items: ["first"] },
    { kind: "table", head: ["a", "b"], rows: [["`x|y`", "z"]] },
    { kind: "code", text: "# no heading\n\nrun" },
    { kind: "heading", level: 2, text: "When it's late", id: "when-its-late" },
  ]);
});

test("the parts of a line", () => {
  expect(spansOf("See **this**, `a*b*c` and [the `x` page](x.md#y)*.*")).toEqual([
    { kind: "text", text: "See " },
    { kind: "strong", text: "this" },
    { kind: "text", text: ", " },
    { kind: "code", text: "a*b*c" },
    { kind: "text", text: " and " },
    { kind: "link", text: "the `x` page", href: "x.md#y" },
    { kind: "em", text: "." },
  ]);
});

test.each([
  "console",
  "scrapers",
  "batches",
  "schedules",
  "failures",
  "webhooks",
  "secrets",
  "proxies",
  "politeness",
  "keys",
])("%s.md has no text that is not understood", (name) => {
  const blocks = parseMarkdown(readFileSync(join(PROJECT_FOLDER, "docs", `${name}.md`), "utf8"));
  expect(blocks[0]?.kind).toBe("heading");
  const texts = blocks.flatMap((block) => {
    if (block.kind === "paragraph") return [block.text];
    if (block.kind === "list") return block.items;
    return block.kind === "table" ? [...block.head, ...block.rows.flat()] : [];
  });
  expect(
    texts.flatMap(spansOf).filter(({ kind, text }) => kind === "text" && /\]\(|\*\*|```|^\|/.test(text)),
  ).toEqual([]);
});
