import { afterEach, beforeEach, expect, jest, test } from "@jest/globals";
import { BLOCK, type LoadedRows, RowSource } from "../../console/grid/row-source.ts";
import type { Row } from "../../functions/contract/runs/run.ts";

/** Requests in their order; `answer` ends one. */
let requests: {
  offset: number;
  signal: AbortSignal;
  answer: (rows: Row[], size?: number) => void;
  fail: () => void;
}[];
let source: RowSource;
beforeEach(() => {
  jest.useFakeTimers();
  requests = [];
  source = new RowSource(
    (offset, _limit, signal) =>
      new Promise<LoadedRows>((resolve, reject) => {
        const fail = () => reject(new Error("no connection"));
        signal.addEventListener("abort", () => reject(new DOMException("aborted", "AbortError")));
        requests.push({ offset, signal, answer: (rows, size = 1_000) => resolve({ rows, size }), fail });
      }),
  );
});
afterEach(() => {
  jest.useRealTimers();
});

const rowsFrom = (offset: number, count = BLOCK): Row[] =>
  Array.from({ length: count }, (_, index) => ({ n: String(offset + index) }));
const settle = () => jest.advanceTimersByTimeAsync(200);

test("loads what is wanted, in blocks, and once", async () => {
  source.setCount(1_000);
  source.want(90, 120);
  await settle();
  expect(requests.map(({ offset }) => offset)).toEqual([0, 100]);
  for (const { offset, answer } of requests) answer(rowsFrom(offset));
  await settle();
  expect(source.get(119)).toEqual({ n: "119" });
  source.want(0, 199);
  await settle();
  expect(requests).toHaveLength(2);
});

test("asks for nothing that is only scrolled past, and gives up what is not wanted any more", async () => {
  source.setCount(100_000);
  source.want(0, 20);
  await settle();
  requests[0]?.answer(rowsFrom(0));
  await settle();
  for (const row of [5_000, 10_000, 50_000]) source.want(row, row + 20);
  await settle();
  expect(requests.map(({ offset }) => offset)).toEqual([0, 50_000]);
  source.want(70_000, 70_020);
  await settle();
  expect(requests[1]?.signal.aborted).toBe(true);
  expect(source.error.value).toBeUndefined();
});

test("rows of a run in progress stay while newer ones are on their way", async () => {
  source.setCount(30);
  source.want(0, 29);
  await settle();
  requests[0]?.answer(rowsFrom(0, 30));
  await settle();
  source.setCount(60);
  expect(source.get(29)).toEqual({ n: "29" });
  source.want(0, 59);
  await settle();
  expect(source.get(29)).toEqual({ n: "29" });
  requests[1]?.answer(rowsFrom(0, 60));
  await settle();
  expect(source.get(59)).toEqual({ n: "59" });
});

test("a block that grew while it was out of view is loaded again when it is shown", async () => {
  source.setCount(130);
  source.want(100, 129);
  await settle();
  requests[0]?.answer(rowsFrom(100, 30));
  await settle();
  source.setCount(350);
  source.setCount(450);
  source.want(100, 199);
  await settle();
  requests[1]?.answer(rowsFrom(100));
  await settle();
  expect(source.get(199)).toEqual({ n: "199" });
  source.want(100, 199);
  await settle();
  expect(requests).toHaveLength(2);
});

test("a block that grew while it was on its way is loaded again", async () => {
  source.setCount(30);
  source.want(0, 29);
  await settle();
  source.setCount(60);
  requests[0]?.answer(rowsFrom(0, 30));
  await settle();
  source.want(0, 59);
  await settle();
  requests[1]?.answer(rowsFrom(0, 60));
  await settle();
  expect(source.get(59)).toEqual({ n: "59" });
});

test("an error is told, and a second try mends it", async () => {
  source.setCount(10);
  source.want(0, 9);
  await settle();
  requests[0]?.fail();
  await settle();
  expect(source.error.value).toBeInstanceOf(Error);
  source.want(0, 9);
  await settle();
  expect(requests).toHaveLength(1);
  source.retry();
  source.want(0, 9);
  await settle();
  requests[1]?.answer(rowsFrom(0, 10));
  await settle();
  expect(source.error.value).toBeUndefined();
  expect(source.get(9)).toEqual({ n: "9" });
});

test("memory is bounded: the block that was not used for the longest time goes first", async () => {
  source.setCount(1_000);
  for (let block = 0; block < 5; block += 1) {
    source.want(0, 5);
    source.want(block * BLOCK, block * BLOCK + 5);
    await settle();
    requests.at(-1)?.answer(rowsFrom(block * BLOCK), 25_000_000);
    await settle();
  }
  expect(source.get(400)).toBeDefined();
  expect(source.get(0)).toBeDefined();
  expect(source.get(100)).toBeUndefined();
});
