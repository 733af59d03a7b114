import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { failureCodes } from "../../functions/runs/failure.ts";
import { warningCodes } from "../../functions/runs/warning.ts";
import { PROJECT_FOLDER } from "../../lib/project-folder.ts";

const document = readFileSync(join(PROJECT_FOLDER, "docs", "failures.md"), "utf8");
const rows = [...document.matchAll(/^\| `(\w+)` \| .+ \| (yes|no)?.+\|$/gm)];

test("every way in which a run can fail is told, in the order of the code", () => {
  expect(rows.map(([, code]) => code)).toEqual(Object.keys(failureCodes));
});

test("what is tried again is told", () => {
  const again = rows.flatMap(([, code, answer]) => (answer === "yes" ? [code] : []));
  const transient = Object.entries(failureCodes).flatMap(([code, { transient }]) =>
    transient ? [code] : [],
  );
  expect(again).toEqual(transient);
});

test("every warning is told, in the order of the code", () => {
  const warnings = [...document.matchAll(/^\| `(\w+)` \| [^|]+ \|$/gm)];
  expect(warnings.map(([, code]) => code)).toEqual([...warningCodes]);
});
