import { expect, test } from "@jest/globals";
import { judge } from "../../bench/truth/judge.ts";
import { controlPages, type Subject } from "../../bench/truth/pages.ts";
import { plainList } from "../../bench/truth/peer.ts";
import { type Report, type Result, tables } from "../../bench/truth/table.ts";
import { SITE, type Task } from "../widgets/task.ts";

const ORIGIN = "http://127.0.0.1:4100";
const list = (fields: object[], selector = "li") =>
  ({
    name: "links",
    library: "none",
    page: "shop/list",
    steps: [{ type: "get_list", selector, fields }],
    expected: [{ name: "Amber Kettle", link: `${SITE}/shop/1` }],
  }) as Task;
const links = list([{ name: "name" }, { name: "link", attribute: "href" }]);
const verdictOf = (reading: Parameters<typeof judge>[0], subject: Pick<Subject, "task" | "isIncomplete">) =>
  judge(reading, subject, ORIGIN).verdict;

test("white space, blank values, the order of rows and relative addresses don't count", () => {
  const rows = [{ link: "1", name: " AmberKettle\n", note: "" }];
  expect(verdictOf({ rows }, { task: links })).toBe("right");
  expect(verdictOf({ rows: [{ link: "2", name: "Amber Kettle" }] }, { task: links })).toBe("silent");
  const two = { ...links, expected: [{ name: "a" }, { name: "b" }] };
  expect(verdictOf({ rows: [{ name: "b" }, { name: "a" }] }, { task: two })).toBe("right");
});

test("wrong rows are silent, unless the library doubts them, fails, or does not end", () => {
  const rows = [{ name: "Amber Kettle" }];
  expect(verdictOf({ rows }, { task: links })).toBe("silent");
  expect(verdictOf({ rows, doubt: "warns: details_missing" }, { task: links })).toBe("says so");
  expect(verdictOf(new Error("no such element"), { task: links })).toBe("says so");
  expect(verdictOf(undefined, { task: links })).toBe("not in time");
});

test("a page that can't give everything has to be doubted, however right its rows are", () => {
  const rows = [{ name: "Amber Kettle", link: "/shop/1" }];
  expect(verdictOf({ rows }, { task: links, isIncomplete: true })).toBe("silent");
  expect(verdictOf({ rows, doubt: "warns" }, { task: links, isIncomplete: true })).toBe("right");
});

test("only lists in CSS with nothing before them are plain", () => {
  expect(plainList(links)).toMatchObject({ selector: "li" });
  expect(plainList(list([{ name: "name", selector: "xpath=./b" }]))).toBeUndefined();
  expect(plainList(list([{ name: "name" }], "li:visible"))).toBeUndefined();
  expect(plainList({ ...links, act: async () => {} })).toBeUndefined();
});

test("the control pages have a list that every library can express", async () => {
  for (const { task, open } of controlPages()) {
    expect(plainList(task)).toBeDefined();
    const site = await open();
    expect(await (await fetch(`${site.origin}/${task.page}`)).text()).toContain("Lamp 6");
    site.close();
  }
});

test("a report has a table for each set, with the part of its pages that was read", () => {
  const result = (set: Result["set"], task: string, verdict: Result["verdict"], ms: number): Result => {
    return { set, task, peer: "A", verdict, reason: "", ms };
  };
  const report: Report = {
    ...{ started: "2026-03-01T10:00:00.000Z", ended: "2026-03-01T11:00:00.000Z", resumed: 1 },
    ...{ cores: 2, concurrency: 6, pages: { reports: 1, widgets: 3 }, versions: { A: "1.2.3" } },
    results: [result("reports", "one", "silent", 9), result("widgets", "two", "right", 1500)],
  };
  expect(
    tables(report),
  ).toBe(`One run, on 1 March 2026, resumed once, with 6 readings side by side on 2 cores.

**Pages made after public bug reports**, 1 page:

| | version | right | wrong without a word | says so | not within a minute | not tried | median time of the right ones |
|---|---|---|---|---|---|---|---|
| A | 1.2.3 | 0 | 1 | 0 | 0 | 0 | |

**Pages of widgets**, 1 of 3 pages:

| | version | right | wrong without a word | says so | not within a minute | not tried | median time of the right ones |
|---|---|---|---|---|---|---|---|
| A | 1.2.3 | 1 | 0 | 0 | 0 | 0 | 1.5 s |`);
});
