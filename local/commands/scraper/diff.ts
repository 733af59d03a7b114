import { diff as diffOf } from "node:util";
import type { Scraper } from "../../../functions/contract/scrapers/scraper.ts";
import { connect, pathOf } from "../../client/api.ts";
import type { Where } from "../../client/target.ts";
import { EXIT, wrongUse } from "../../command-error.ts";
import { note, print, printJsonLine, styled } from "../../terminal/print.ts";
import { comparable, readDefinitionFile, stableJson } from "./definition-file.ts";

/** How many unchanged lines are shown before and after a difference. */
const CONTEXT = 3;

/** A line of a diff. The operation is 1 for an added line, -1 for a removed one, and 0 for an unchanged one. */
type Line = [operation: number, text: string];

/** Shows how files differ from the stored scrapers. The exit code is 1 if one of them differs. */
export async function diff(paths: string[], { json, ...where }: Where & { json?: boolean }): Promise<void> {
  const api = await connect(where);
  for (const path of paths) {
    const file = await readDefinitionFile(path);
    if (file.id === undefined) {
      throw wrongUse(
        `${path} has no "id", so there is no stored scraper to compare it with. Store it with \`npx gleaner scraper put ${path}\`.`,
      );
    }
    const stored = await api.get<Scraper>(pathOf("scrapers", file.id));
    const now = new Date();
    // An invalid definition is compared without filling in defaults.
    const pair = comparable(file.json, stored, now) ?? { file: file.json as object, stored };
    const lines = removedFirst(diffOf(linesOf(pair.file), linesOf(pair.stored)) as Line[]);
    const differs = lines.some(([operation]) => operation !== 0);
    if (differs) process.exitCode = EXIT.failed;
    if (json)
      printJsonLine({ file: path, id: file.id, version: stored.version, differs, lines: changed(lines) });
    else if (differs) show(path, stored, lines);
    else note(`${path} is equal to the stored scraper.`);
  }
}

/** Sorts the lines as the tool `diff` does: in each changed part, removed lines come before added ones. */
function removedFirst(lines: readonly Line[]): Line[] {
  const ordered: Line[] = [];
  const added: Line[] = [];
  for (const line of lines) {
    if (line[0] > 0) {
      added.push(line);
      continue;
    }
    if (line[0] === 0) ordered.push(...added.splice(0));
    ordered.push(line);
  }
  return [...ordered, ...added];
}

const linesOf = (value: object) => stableJson(value).trimEnd().split("\n");

const changed = (lines: Line[]) =>
  lines.flatMap(([operation, text]) => (operation === 0 ? [] : [(operation > 0 ? "+" : "-") + text]));

/** Prints a diff: `-` marks lines of the stored scraper, `+` marks lines of the file. */
function show(path: string, { id, version }: Scraper, lines: Line[]): void {
  print(`--- scraper ${id}, version ${version}`);
  print(`+++ ${path}`);
  let last = -1;
  for (const [index, [operation, text]] of lines.entries()) {
    const around = lines.slice(Math.max(0, index - CONTEXT), index + CONTEXT + 1);
    if (!around.some(([near]) => near !== 0)) continue;
    if (last !== index - 1) print("…");
    last = index;
    if (operation === 0) print(` ${text}`);
    else if (operation > 0) console.log(styled("green", `+${text}`, process.stdout));
    else console.log(styled("red", `-${text}`, process.stdout));
  }
}
