import { readFileSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import type { Command } from "commander";
import { PROJECT_FOLDER } from "../../lib/project-folder.ts";
import { cliReference } from "../../local/cli/reference.ts";
import { program } from "../../local/cli.ts";

const leaves = (command: Command): Command[] =>
  command.commands.length === 0 ? [command] : command.commands.flatMap(leaves);
const nameOf = (command: Command): string =>
  command.parent === null ? "" : `${nameOf(command.parent)} ${command.name()}`.trim();

test("docs/cli.md is that of the code: npm run cli-reference writes it", () => {
  expect(readFileSync(join(PROJECT_FOLDER, "docs", "cli.md"), "utf8")).toBe(cliReference(program()));
});

test("every command prints JSON, but the service itself, a protocol and a script for a shell", () => {
  const without = leaves(program()).filter(({ options }) => !options.some(({ long }) => long === "--json"));
  expect(without.map(nameOf)).toEqual(["start", "mcp serve", "completion"]);
});

test("each command in the documentation exists, with its options", async () => {
  const docs = (await readdir(join(PROJECT_FOLDER, "docs"))).map((name) => join("docs", name));
  const commands = new Map(leaves(program()).map((command) => [nameOf(command), command]));
  const wrong: string[] = [];
  for (const path of ["README.md", "examples/README.md", ...docs.filter((name) => name.endsWith(".md"))]) {
    const text = await readFile(join(PROJECT_FOLDER, path), "utf8");
    for (const [line] of text.matchAll(/npx gleaner [^`\n|]*/g)) {
      const words = line.replace(/ #.*/, "").trim().split(/\s+/).slice(2);
      const command = commands.get(words.slice(0, 2).join(" ")) ?? commands.get(words[0] ?? "");
      const known = [...(command?.options ?? []), { long: "--help", short: "-h" }];
      const flags = words
        .filter((word) => /^--?[a-z]/.test(word))
        .map((word) => word.replace(/[.,:)]+$/, ""));
      const unknown = flags.filter(
        (flag) => !known.some(({ long, short }) => flag === long || flag === short),
      );
      if (words[0]?.match(/^[a-z]/) && (command === undefined || unknown.length > 0))
        wrong.push(`${path}: ${line}`);
    }
  }
  expect(wrong).toEqual([]);
});
