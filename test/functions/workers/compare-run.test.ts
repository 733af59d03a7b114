import { expect, test } from "@jest/globals";
import type { Step } from "../../../functions/contract/steps/steps.ts";
import { RunFailure } from "../../../functions/runs/failure.ts";
import { deleteRun } from "../../../functions/store/runs/delete-run.ts";
import { deleteMemory, readMemory } from "../../../functions/store/scraper-memory.ts";
import { queryAll, type Table } from "../../../functions/store/table.ts";
import { startTable } from "../store/local-table.ts";
import { withSend } from "../store/with-send.ts";
import { comparedRuns, goods, listWith, VISIT } from "./compared-runs.ts";

const table = await startTable();
const counts = (numbers: object) => ({ new: 0, changed: 0, removed: 0, same: 0, ...numbers });

test("a first run has nothing to be compared with; the next ones have what differs, each change once", async () => {
  const { run } = await comparedRuns(table);
  const first = await run(goods("a b c"));
  expect(first.changes).toMatchObject({ ...counts({}), baseline: null, final: true });
  expect(first.changes?.message).toBe("No good run came before. The next runs are compared with this one.");
  const second = await run(goods("a b c d", { b: "12" }));
  expect(second.changes).toMatchObject({
    ...counts({ new: 1, changed: 1, same: 2 }),
    baseline: first.run.id,
    final: true,
    message: null,
  });
  expect(second.listed).toEqual([
    { kind: "changed", row: { sku: "b", name: "Thing b", price: "12" }, old: { price: "10" } },
    { kind: "new", row: { sku: "d", name: "Thing d", price: "10" } },
  ]);
  const third = await run(goods("a b c d", { b: "12" }));
  expect(third.changes).toMatchObject({ ...counts({ same: 4 }), baseline: second.run.id });
});

test("a row is removed once two good runs in a row lack it, and one that comes back before never was", async () => {
  const { run } = await comparedRuns(table);
  await run(goods("a b c"));
  expect((await run(goods("a c"))).changes).toMatchObject(counts({ same: 2 }));
  const back = await run(goods("a b", { b: "11" }));
  expect(back.changes).toMatchObject(counts({ same: 1, changed: 1 }));
  expect(back.listed).toEqual([
    { kind: "changed", row: { sku: "b", name: "Thing b", price: "11" }, old: { price: "10" } },
  ]);
  const gone = await run(goods("a b", { b: "11" }));
  expect(gone.changes).toMatchObject(counts({ same: 2, removed: 1 }));
  expect(gone.listed).toEqual([{ kind: "removed", row: { sku: "c", name: "Thing c", price: "10" } }]);
  expect((await run(goods("a b", { b: "11" }))).changes).toMatchObject(counts({ same: 2 }));
  // What was removed is new when it comes back.
  expect((await run(goods("a b c", { b: "11" }))).changes).toMatchObject(counts({ same: 2, new: 1 }));
});

test("the order of a list is no change", async () => {
  const { run } = await comparedRuns(table);
  await run(goods("a b c d"));
  expect((await run(goods("d b a c"))).changes).toMatchObject(counts({ same: 4 }));
  expect((await run(goods("c d b a", { d: "9" }))).listed).toEqual([
    { kind: "changed", row: { sku: "d", name: "Thing d", price: "9" }, old: { price: "10" } },
  ]);
});

test("a key may change its case and its spaces", async () => {
  const { run } = await comparedRuns(table);
  await run([{ sku: "AB 1", name: "One" }]);
  const other = await run([{ sku: " ab  1", name: "One" }]);
  expect(other.changes).toMatchObject(counts({ same: 1 }));
});

test("rows without a key are not compared, and a key with two contents is not reported as changed", async () => {
  const { run } = await comparedRuns(table);
  const doubled = [...goods("a b"), { sku: " B", name: "Other b" }, { name: "without a key" }];
  const first = await run(doubled);
  expect(first.changes?.message).toContain("1 rows have no key and are not compared.");
  expect(first.changes?.message).toContain("1 rows have the key of another row and other values");
  const reordered = await run([{ sku: " B", name: "Other b" }, ...goods("a b"), { name: "changed" }]);
  expect(reordered.changes).toMatchObject(counts({ same: 2 }));
  // Once the key is unique, its row counts from then on.
  expect((await run(goods("a b"))).changes).toMatchObject(counts({ same: 2 }));
  expect((await run(goods("a b", { b: "3" }))).changes).toMatchObject(counts({ same: 1, changed: 1 }));
});

const warning = { code: "rows_may_be_missing", message: "The page says more.", step: 1 };
test.each([
  ["that failed", { failure: new RunFailure("http_error", "It is down.") }, "The run failed (http_error)."],
  ["with a warning that doubts its rows", { warnings: [warning] }, "has the warning rows_may_be_missing"],
])("a run %s is compared, but the next one is not compared with it", async (_, doubt, message) => {
  const { run } = await comparedRuns(table);
  const first = await run(goods("a b c d"));
  const doubtful = await run({ rows: goods("a b e", { a: "11" }), ...doubt });
  expect(doubtful.changes).toMatchObject({ ...counts({ new: 1, changed: 1, same: 1 }), final: false });
  expect(doubtful.changes?.message).toContain(message);
  await run({ rows: goods("a b e", { a: "11" }), ...doubt });
  const good = await run(goods("a b c d e", { a: "11" }));
  expect(good.changes).toMatchObject({
    ...counts({ new: 1, changed: 1, same: 3 }),
    baseline: first.run.id,
    final: true,
  });
});

test("a run at its limit never becomes the baseline, and a run without rows that failed is not compared", async () => {
  const { run } = await comparedRuns(table, { rows_limit: 3 });
  expect((await run(goods("a b c"))).changes).toMatchObject({ baseline: null, final: false });
  expect((await run(goods("a b"))).changes).toMatchObject({ baseline: null, final: true });
  const full = await run(goods("a b c"));
  expect(full.changes).toMatchObject({ ...counts({ same: 2, new: 1 }), final: false });
  expect(full.changes?.message).toContain("rows_limit");
  const failed = await run({ rows: [], failure: new RunFailure("element_not_found", "None.") });
  expect(failed.changes).toBeUndefined();
});

test("nothing is removed while the site is down for a week", async () => {
  const { run } = await comparedRuns(table);
  await run(goods("a b c"));
  for (let day = 0; day < 7; day += 1)
    await run({ rows: [], failure: new RunFailure("navigation_failed", "Down.") });
  expect((await run(goods("a b c"))).changes).toMatchObject(counts({ same: 3 }));
});

test("other fields or selectors start a new baseline, and the run says so", async () => {
  const { run, replace, withIds } = await comparedRuns(table);
  await run(goods("a b"));
  const renamed = listWith({ fields: [{ name: "sku" }, { name: "title" }], key: ["sku"] });
  await replace({ steps: withIds([{ type: "visit", url: "https://shop.example/" }, renamed]) });
  const first = await run([{ sku: "a", title: "A" }]);
  expect(first.changes).toMatchObject({ ...counts({}), baseline: null, final: true });
  expect(first.changes?.message).toContain("steps or pagination have changed");
  expect((await run([{ sku: "a", title: "B" }])).changes).toMatchObject(counts({ changed: 1 }));
});

test("another header or proxy starts a new baseline, but what is usual stays", async () => {
  const { run, replace } = await comparedRuns(table);
  await run(goods("a b c d e f g h i j"));
  await replace({ headers: { "accept-language": "de" } });
  expect((await run(goods("a b"))).run.warnings).toMatchObject([{ code: "rows_fewer_than_usual" }]);
  const first = await run(goods("k l m n o p q r s t"));
  expect(first.changes).toMatchObject({ ...counts({}), baseline: null, final: true });
  await replace({ proxy: { type: "datacenter", country: "Germany" } });
  expect((await run(goods("a b c d e f g h i j"))).changes).toMatchObject({ ...counts({}), baseline: null });
  expect((await run(goods("a b c d e f g h i j"))).changes).toMatchObject(counts({ same: 10 }));
});

test("a field that differs in more than half of the rows is reported as such, and can be ignored", async () => {
  const { run, replace, withIds } = await comparedRuns(table);
  const keys = "a b c d e f g h i j k l";
  const at = (time: string, prices = {}) =>
    goods(keys, prices).map((row) => ({ ...row, name: `at ${time}` }));
  await run(at("9:00"));
  const mostly = await run(at("10:00", { c: "11" }));
  expect(mostly.changes).toMatchObject({
    ...counts({ changed: 1, same: 11 }),
    mostly_changed: [{ field: "name", count: 12 }],
  });
  expect(mostly.listed).toEqual([
    { kind: "changed", row: { sku: "c", name: "at 10:00", price: "11" }, old: { price: "10" } },
  ]);
  await replace({
    steps: withIds([{ type: "visit", url: "https://shop.example/" }, listWith({ ignore: ["name"] })]),
  });
  // The baseline stays: no change is lost by ignoring a field.
  const ignoring = await run(at("11:00", { c: "11", d: "12" }));
  expect(ignoring.changes).toMatchObject({ ...counts({ changed: 1, same: 11 }), mostly_changed: [] });
  expect((await run(at("12:00", { c: "11", d: "12" }))).changes).toMatchObject(counts({ same: 12 }));
});

test("with max_pages, rows leave the list without being removed, and are not new when they come back", async () => {
  const pagination = { type: "next_button", selector: "a", max_pages: 2 } as const;
  const { run } = await comparedRuns(table, { pagination });
  await run(goods("a b c"));
  await run(goods("b c d"));
  await run(goods("c d e"));
  expect((await run(goods("a c d f"))).changes).toMatchObject(counts({ same: 3, new: 1 }));
});

test("runs with overridden steps are not compared", async () => {
  const { run } = await comparedRuns(table);
  await run(goods("a b"));
  const other = await run(goods("x y"), { steps: [{ id: "step-0", url: "https://shop.example/other" }] });
  expect(other.changes).toBeUndefined();
  expect((await run(goods("a b"))).changes).toMatchObject(counts({ same: 2 }));
});

test("two runs that end at the same time report a change once", async () => {
  const { run, start, show, life, changesOf } = await comparedRuns(table);
  await run(goods("a"));
  const [one, other] = [await start(), await start()];
  show({ rows: goods("a b") });
  show({ rows: goods("a b") });
  await Promise.all([life.execute(one), life.execute(other)]);
  const found = [await changesOf(one), await changesOf(other)];
  const reported = found.filter(({ changes }) => changes?.final && changes.new === 1);
  expect(reported).toHaveLength(1);
  expect(found.map(({ run: { status } }) => status)).toEqual(["successful", "successful"]);
  expect((await run(goods("a b"))).changes).toMatchObject(counts({ same: 2 }));
});

test("a run that was created before the baseline's run does not replace it", async () => {
  const { run, start, show, life, changesOf } = await comparedRuns(table);
  await run(goods("a"));
  const late = await start();
  await run(goods("a b"));
  show({ rows: goods("a") });
  await life.execute(late);
  expect((await changesOf(late)).changes).toMatchObject({ ...counts({ same: 1 }), final: false });
  expect((await run(goods("a b"))).changes).toMatchObject(counts({ same: 2 }));
});

test("a run of an earlier definition does not replace the baseline of a newer one, or what is usual", async () => {
  const { run, start, replace, withIds, show, life, changesOf } = await comparedRuns(table);
  const late = await start();
  await replace({ steps: withIds([VISIT, listWith({ selector: "tr" })]) });
  await run(goods("a b c d e f g h i j"));
  show({ rows: goods("z") });
  await life.execute(late);
  expect((await changesOf(late)).changes).toMatchObject({ baseline: null, final: false });
  const next = await run(goods("a b", { a: "11" }));
  expect(next.changes).toMatchObject(counts({ same: 1, changed: 1 }));
  expect(next.run.warnings).toMatchObject([{ code: "rows_fewer_than_usual" }]);
});

test("after the baseline's run was deleted, changes are counted, and their old values are null", async () => {
  const { run, life } = await comparedRuns(table);
  const first = await run(goods("a b c"));
  await deleteRun(table, first.run, new Date(life.clock.time));
  const second = await run(goods("a b", { a: "11" }));
  expect(second.changes).toMatchObject(counts({ changed: 1, same: 1 }));
  expect(second.listed).toEqual([
    { kind: "changed", row: { sku: "a", name: "Thing a", price: "11" }, old: null },
  ]);
  expect((await run(goods("a b", { a: "11" }))).listed).toEqual([{ kind: "removed", row: null }]);
});

test("rows within a row share its key, and are told apart by their order", async () => {
  const sizes = { name: "sizes", list: { selector: "i", fields: [{ name: "size" }] } };
  const { run } = await comparedRuns(table, { steps: [listWith({ fields: [{ name: "sku" }, sizes] })] });
  const of = (sku: string, list: string) => list.split(" ").map((size) => ({ sku, size }));
  await run([...of("a", "S M"), ...of("b", "S")]);
  const next = await run([...of("b", "S"), ...of("a", "S L XL")]);
  expect(next.changes).toMatchObject(counts({ same: 2, changed: 1, new: 1 }));
});

test("the rows of several lists are told apart by their fields; those of a list without a key are not compared", async () => {
  const news: Step = { type: "get_list", selector: "p", fields: [{ name: "title" }] };
  const shops = listWith({ fields: [{ name: "city" }, { name: "street" }], key: ["city"] });
  const { run } = await comparedRuns(table, { steps: [listWith({}), shops, news] });
  await run([...goods("a"), { city: "Bonn", street: "Weg 1" }, { title: "Sale" }]);
  const next = await run([...goods("a"), { city: "Bonn", street: "Weg 2" }, { title: "No sale" }]);
  expect(next.listed).toEqual([
    { kind: "changed", row: { city: "Bonn", street: "Weg 2" }, old: { street: "Weg 1" } },
  ]);
});

/** The same table, which refuses to read the keys of earlier runs so many times. */
const withoutKeys = (times: number): Table => {
  let left = times;
  return withSend(table, async (send, { input }) => {
    const values = input.ExpressionAttributeValues as Record<string, string> | undefined;
    if (!values?.[":pk"]?.includes("#MEMORY#") || left === 0) return send();
    left -= 1;
    throw new Error("The keys can't be read.");
  });
};

test("a fault does not end the comparison, which is repeated", async () => {
  const { run, life, changesOf, start, show } = await comparedRuns(table);
  await run(goods("a b"));
  const ref = await start();
  show({ rows: goods("a c") });
  await life.execute(ref, { table: withoutKeys(2) });
  expect((await changesOf(ref)).changes).toMatchObject(counts({ same: 1, new: 1 }));
});

test("if the comparison fails, the run keeps its rows and its end, and its log says so", async () => {
  const { run, life, changesOf, start, show } = await comparedRuns(table);
  await run(goods("a b"));
  const ref = await start();
  show({ rows: goods("a c") });
  await life.execute(ref, { table: withoutKeys(Number.POSITIVE_INFINITY) });
  const { run: ended, changes } = await changesOf(ref);
  expect(ended).toMatchObject({ status: "successful", row_count: 2 });
  expect(changes).toBeUndefined();
  expect(life.logged.map(({ message }) => message)).toContain(
    "The run could not be compared with earlier ones",
  );
  expect((await run(goods("a c"))).changes).toMatchObject(counts({ same: 1, new: 1 }));
});

test("old keys are deleted, so that as much is stored after many runs as after one", async () => {
  const { run, life } = await comparedRuns(table);
  await run(goods("a b"));
  for (let turn = 0; turn < 3; turn += 1) await run(goods(`a b c${turn}`));
  const memory = await readMemory(
    table,
    { account: life.account, scraper_id: life.scraper.id },
    new Date(life.clock.time),
  );
  const { pk } = memory as unknown as { pk: string };
  const stored: string[] = [];
  for await (const { sk } of queryAll<{ sk: string }>(table, {
    KeyConditionExpression: "pk = :pk",
    ExpressionAttributeValues: { ":pk": pk },
  }))
    stored.push(sk);
  expect(stored.map((sk) => sk.replace(/^.*#(KEYS|ROWS)#/, "$1#")).sort()).toEqual([
    "HEAD",
    "KEYS#000000000000",
    "ROWS#000000000000",
  ]);
});

test("rows that earlier good runs had are known to a run that wants only new ones, until they are forgotten", async () => {
  const { run, seen, life } = await comparedRuns(table);
  const known = () =>
    goods("A b c d")
      .filter((row) => seen.at(-1)?.context.isKnown?.(row, ["sku"]))
      .map(({ sku }) => sku);
  await run(goods("a b"));
  expect(known()).toEqual([]);
  const doubtful = { rows: goods("d"), warnings: [{ code: "rows_may_be_missing", message: "", step: 1 }] };
  await run(doubtful, { only_new: true });
  expect(known()).toEqual(["A", "b"]);
  const second = await run(goods("c"), { only_new: true });
  expect(second.changes).toMatchObject({ ...counts({ new: 1 }), baseline: null, final: true });
  await run([], { only_new: true });
  expect(known()).toEqual(["A", "b", "c"]);
  // It is no baseline: the next full run is compared with the last full one.
  expect((await run(goods("a b c"))).changes).toMatchObject(counts({ same: 2, new: 1 }));
  await deleteMemory(table, { account: life.account, scraper_id: life.scraper.id });
  await run(goods("a"), { only_new: true });
  expect(known()).toEqual([]);
});

test("a run that wants only new rows at its limit has the next ones each time", async () => {
  const { run, seen } = await comparedRuns(table, { rows_limit: 2, only_new: true });
  await run({ rows: goods("a b"), warnings: [{ code: "rows_limit_reached", message: "", step: 1 }] });
  await run(goods("c d"));
  expect(goods("a b c d e").filter((row) => !seen.at(-1)?.context.isKnown?.(row, ["sku"]))).toHaveLength(3);
  await run([]);
  expect(goods("a b c d e").filter((row) => !seen.at(-1)?.context.isKnown?.(row, ["sku"]))).toHaveLength(1);
});

const filled = (rows: number, prices: number) =>
  Array.from({ length: rows }, (_, at) => ({ sku: `${at}`, name: "x", ...(at < prices && { price: "1" }) }));

test("a run with less than half of the usual rows, or of the usual values of a field, has a warning", async () => {
  const { run } = await comparedRuns(table);
  for (const rows of [20, 22, 18]) await run(filled(rows, rows));
  const fewer = await run(filled(9, 9));
  expect(fewer.run.warnings).toMatchObject([
    {
      code: "rows_fewer_than_usual",
      count: 9,
      message: expect.stringMatching(/^The run has 9 rows; the median of the last 3 good runs is 20\./),
    },
  ]);
  expect(fewer.changes).toMatchObject({ ...counts({ same: 9 }), final: false });
  const emptier = await run(filled(20, 9));
  expect(emptier.run.warnings).toMatchObject([
    {
      code: "field_emptier_than_usual",
      field: "price",
      count: 11,
      message: expect.stringContaining("45 % of the rows; the median of the last 3 good runs is 100 %"),
    },
  ]);
  expect((await run(filled(20, 20))).run.warnings).toEqual([]);
});

test("what stays as it is becomes usual after three runs, and few rows say nothing", async () => {
  const { run } = await comparedRuns(table);
  for (let turn = 0; turn < 5; turn += 1) await run(filled(20, 20));
  const codes: (string | undefined)[] = [];
  for (let turn = 0; turn < 5; turn += 1) codes.push((await run(filled(4, 4))).run.warnings[0]?.code);
  expect(codes).toEqual([...Array(3).fill("rows_fewer_than_usual"), undefined, undefined]);
  // 1 of 4 is less than half, but by few rows.
  expect((await run(filled(1, 0))).run.warnings).toEqual([]);
});

test("a run that its request limits has no fewer rows than usual or expected, and is not usual", async () => {
  const { run } = await comparedRuns(table, { expect: { rows_min: 10, fail: true } });
  await run(filled(20, 20));
  for (let turn = 0; turn < 5; turn += 1) {
    const limited = (await run(filled(2, 2), { rows_limit: 2 })).run;
    expect(limited).toMatchObject({ status: "successful", warnings: [] });
  }
  expect((await run(filled(10, 10))).run.warnings).toEqual([]);
  expect((await run(filled(7, 7))).run.warnings).toMatchObject([
    { code: "expectation_missed" },
    { code: "rows_fewer_than_usual" },
  ]);
});

test("a trouble that is over does not hide the next one, and is not usual with it", async () => {
  const { run } = await comparedRuns(table);
  const codes = async (rows: number) => (await run(filled(rows, rows))).run.warnings.map(({ code }) => code);
  const [usual, fewer] = [[], ["rows_fewer_than_usual"]];
  const trouble = [3, 3, 3, 20, 4, 4, 20, 5, 5, 5, 20];
  const told = [];
  for (const rows of [20, ...trouble]) told.push(await codes(rows));
  expect(told).toEqual([usual, ...trouble.map((rows) => (rows === 20 ? usual : fewer))]);
});

test("what a scraper expects is a warning, or a failure", async () => {
  const expected = { rows_min: 3, filled: { price: 0.5 } };
  const warned = await (await comparedRuns(table, { expect: expected })).run(filled(2, 0));
  expect(warned.run.status).toBe("successful");
  expect(warned.run.warnings).toMatchObject([
    {
      code: "expectation_missed",
      count: 2,
      message: expect.stringContaining("has 2 rows, and the scraper expects at least 3"),
    },
    {
      code: "expectation_missed",
      field: "price",
      message: expect.stringContaining("0 % of the rows, and the scraper expects 50 %"),
    },
  ]);
  const failed = await (await comparedRuns(table, { expect: { ...expected, fail: true } })).run(filled(2, 2));
  expect(failed.run).toMatchObject({ status: "failed", row_count: 2, error: { code: "expectation_missed" } });
  expect(failed.changes).toMatchObject({ final: false, baseline: null });
});
