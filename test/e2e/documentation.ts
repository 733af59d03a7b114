import { expect } from "@jest/globals";

/** A fenced block of a Markdown page. */
export interface Block {
  language: string;
  text: string;
}

/** The fenced blocks of a page, those in lists without their indentation. */
export const blocksOf = (markdown: string): Block[] =>
  [...markdown.matchAll(/^( *)```(\w+)\n(.*?)\n\1```$/gms)].map(
    ([, indent = "", language = "", text = ""]) => ({
      language,
      text: text.replaceAll(new RegExp(`^${indent}`, "gm"), ""),
    }),
  );

const ID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

/**
 * Compares what was printed with what the documentation shows. There, `…` stands for anything, alone on a line for
 * lines; ids, times and the port of the service may differ. Notes in `actual` what each id stands for.
 */
export function expectOutput(printed: string, shown: string, actual: Map<string, string>): void {
  const ids: string[] = [];
  const pattern = shown
    .split("\n")
    .map((line) => (line === "…" ? "[^]*?" : `${patternOf(line, ids, actual)}\n`))
    .join("");
  expect(printed).toMatch(new RegExp(pattern));
  const [, ...found] = new RegExp(pattern).exec(printed) ?? [];
  for (const [index, id] of ids.entries()) {
    const known = actual.get(id) ?? found[index] ?? "";
    expect(found[index]).toBe(known);
    actual.set(id, known);
  }
}

function patternOf(line: string, ids: string[], actual: Map<string, string>): string {
  ids.push(...(line.match(ID) ?? []));
  const own = (actual.get("localhost:4100") ?? "").replaceAll(".", "\\.");
  return line
    .replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&")
    .replaceAll("localhost:4100", own)
    .replaceAll(/(127\\\.0\\\.0\\\.1:)4000/g, "$1\\d+")
    .replaceAll(/\S*\.gleaner\//g, "\\S*\\.gleaner/")
    .replaceAll(/\b\d+(\\\.\d+)? (m?s)\b/g, "[\\d.]+ $2")
    .replaceAll("…", ".*")
    .replaceAll(ID, "([0-9a-f-]{36})");
}
