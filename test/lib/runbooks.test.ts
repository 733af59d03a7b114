import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { PROJECT_FOLDER } from "../../lib/project-folder.ts";
import { resourcesOf, synth } from "./synth.ts";

test("every alarm has its runbook, and every runbook its alarm", () => {
  const text = readFileSync(join(PROJECT_FOLDER, "docs", "runbooks.md"), "utf8");
  const written = [...text.matchAll(/^## (\S+)$/gm)].map(([, name]) => name);
  const alarms = Object.values(resourcesOf(synth().template, "AWS::CloudWatch::Alarm"));
  const named = alarms.map(({ Properties }) => /#(\S+)$/.exec(String(Properties.AlarmDescription))?.[1]);
  expect([...new Set(named)].sort()).toEqual(written.sort());
});
