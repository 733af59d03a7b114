import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { beforeAll, expect, test } from "@jest/globals";
import { PROJECT_FOLDER } from "../../lib/project-folder.ts";

/** The lines of a table by their first cell, each with its other cells. */
const tableIn = (text: string) =>
  new Map(
    [...text.matchAll(/^│(.+)│$/gm)].map(([, line = ""]) => {
      const [name = "", ...cells] = line.split("│").map((cell) => cell.trim());
      return [name, cells] as const;
    }),
  );

let written: string;
let computed: ReturnType<typeof tableIn>;
beforeAll(async () => {
  written = await readFile(join(PROJECT_FOLDER, "docs", "cost.md"), "utf8");
  const bench = join(PROJECT_FOLDER, "bench", "cost", "cost.ts");
  computed = tableIn((await promisify(execFile)(process.execPath, [bench])).stdout);
});

test("X-Ray's default traces the first execution of each second: of a service without runs, each sweep", () => {
  const traces = 30 * 24 * 60;
  expect(computed.get("X-Ray")?.[0]).toBe((traces * 0.000_005).toFixed(2));
});

test("the table has what the estimate prints for a service without runs, and for X-Ray", () => {
  const documented = tableIn(written);
  expect([...documented.keys()]).toEqual([...computed.keys()]);
  for (const [name, [idle]] of computed) expect([name, documented.get(name)?.[0]]).toEqual([name, idle]);
  expect(documented.get("X-Ray")).toEqual(computed.get("X-Ray"));
  const [total] = computed.get("Total at list prices") ?? [];
  expect(written).toContain(`A service without runs costs ${total} USD a month`);
});
