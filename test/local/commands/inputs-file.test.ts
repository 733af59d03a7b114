import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { readInputs } from "../../../local/commands/batch/inputs-file.ts";
import { newFolder } from "../../new-folder.ts";

test("a JSON file may begin with a byte order mark, as editors on Windows write it", async () => {
  const path = join(await newFolder(), "inputs.json");
  await writeFile(path, '\ufeff[{"search":"a"}]');
  expect(await readInputs(path)).toEqual({ inputs: [{ search: "a" }] });
});
