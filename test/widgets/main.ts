import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import Table from "cli-table3";
import { multiProcessArgs, singleProcessArgs } from "../../functions/scraping/browser/browsers.ts";
import { installLibraries } from "../install-libraries.ts";
import { FOLDER } from "./folder.ts";
import { mustPass, shortTasks } from "./must-pass.ts";
import { openBrowsers, type Result, runTask, type Verdict } from "./runner.ts";
import { slow, startWidgetSite, usual } from "./server.ts";
import { slowPagesDown } from "./slow-pages.ts";
import type { Task } from "./task.ts";
import { tasks } from "./tasks/index.ts";
import { verifyPages } from "./verify.ts";

const { values } = parseArgs({
  options: {
    only: { type: "string" },
    json: { type: "string" },
    short: { type: "boolean", default: false },
    "single-process": { type: "boolean", default: false },
    slow: { type: "boolean", default: false },
    concurrency: { type: "string", default: "2" },
    "verify-pages": { type: "boolean", default: false },
    screenshots: { type: "string" },
  },
});
const { only, short } = values;
const concurrency = Number(values.concurrency);
const chosen = tasks.filter(
  ({ name, library }) =>
    (!only || name.includes(only) || library === only) && (!short || shortTasks.has(name)),
);
if (chosen.length === 0) {
  console.error(`No task's name has "${only}" in it.`);
  process.exit(2);
}
const names = new Set(tasks.map(({ name }) => name));
const unknown = [...mustPass, ...shortTasks].filter((name) => !names.has(name));
if (unknown.length > 0) {
  console.error(`must-pass.ts names tasks that don't exist: ${unknown.join("; ")}.`);
  process.exit(2);
}

installLibraries(FOLDER);
if (values["verify-pages"]) {
  const bad = await verifyPages(chosen, { concurrency, screenshots: values.screenshots });
  process.exit(bad > 0 ? 1 : 0);
}

const results = await runAll(chosen, false);
const slowed = values.slow ? await runAll(chosen, true) : [];
const named = (from: readonly Result[], verdict: Verdict) =>
  from.filter((result) => result.verdict === verdict).map(({ task }) => task.name);
const summaryOf = (from: readonly Result[]) => ({
  right: named(from, "right").length,
  silent_wrong: named(from, "silent_wrong"),
  failed: named(from, "failed"),
});
const summary = {
  tasks: chosen.length,
  ...summaryOf(results),
  ...(values.slow && { slowed: summaryOf(slowed) }),
};
if (values.json) writeFileSync(values.json, `${JSON.stringify(summary, null, 2)}\n`);

report("", results);
if (values.slow) report("Slowed down: ", slowed);
const all = [...results, ...slowed];
const lost = all.filter(({ task, verdict }) => verdict !== "right" && mustPass.has(task.name));
for (const { task } of lost) console.log(`Must pass: ${task.name}`);
process.exit(lost.length > 0 || named(all, "silent_wrong").length > 0 ? 1 : 0);

async function runAll(wanted: readonly Task[], slowed: boolean): Promise<Result[]> {
  const site = await startWidgetSite(slowed ? slow : usual);
  const browsers = openBrowsers(site.host, values["single-process"] ? singleProcessArgs : multiProcessArgs);
  const endSlowness = slowed ? slowPagesDown() : async () => {};
  const queue = wanted.map((task, index) => ({ task, index }));
  const done: Result[] = [];
  const work = async () => {
    for (let next = queue.shift(); next; next = queue.shift()) {
      const result = await runTask(browsers, site.origin, next.task, slowed);
      done[next.index] = result;
      console.error(
        `${result.verdict.padEnd(12)} ${String(result.ms).padStart(6)} ms  ${result.task.name}  ${result.reason}`,
      );
    }
  };
  await Promise.all(Array.from({ length: concurrency }, work));
  await endSlowness();
  await browsers.close();
  await site.close();
  return done;
}

function report(title: string, from: readonly Result[]): void {
  const { right, silent_wrong, failed } = summaryOf(from);
  const table = new Table({
    head: ["task", "result", "why"],
    colWidths: [48, 14, 100],
    wordWrap: true,
    style: { head: [], border: [] },
  });
  for (const { task, verdict, reason } of from)
    if (verdict !== "right") table.push([task.name, verdict.replace("_", " "), reason]);
  if (table.length > 0) console.log(table.toString());
  console.log(
    `${title}${from.length} tasks: ${right} right, ${silent_wrong.length} silently wrong, ${failed.length} failed`,
  );
}
