import { expect, test } from "@jest/globals";
import { Prefetcher } from "../../../../../functions/scraping/lists/ahead/prefetcher.ts";

/** Lets all that is due happen. */
const turns = () => new Promise((resolve) => setImmediate(resolve));

/** Parts that arrive when the test says so. */
function controlled(width?: number, size = 0) {
  const started: number[] = [];
  const parts = new Map<number, PromiseWithResolvers<number>>();
  const prefetcher = new Prefetcher<number>({
    load(index) {
      started.push(index);
      const part = Promise.withResolvers<number>();
      parts.set(index, part);
      return part.promise;
    },
    ...(width !== undefined && { width: () => width }),
    sizeOf: () => size,
  });
  const arrive = async (index: number) => {
    parts.get(index)?.resolve(index);
    await turns();
  };
  const fail = async (index: number) => {
    parts.get(index)?.reject(new Error("It did not arrive."));
    await turns();
  };
  return { prefetcher, started, arrive, fail };
}

test("as many parts as the width allows load at the same time, in order and once", async () => {
  const { prefetcher, started, arrive, fail } = controlled(2);
  prefetcher.ask(3, 4);
  expect(started).toEqual([3, 4]);
  await arrive(4);
  expect(started).toEqual([3, 4, 5]);
  // Nobody needs it so far.
  await fail(3);
  prefetcher.ask(3, 4);
  expect(started).toEqual([3, 4, 5, 6]);
  expect(await prefetcher.take(4)).toBe(4);
  await expect(prefetcher.take(3)).rejects.toThrow();
  expect(prefetcher.has(4)).toBe(false);
  expect(prefetcher.has(6)).toBe(true);
});

test("all parts load at once if their number is not limited", () => {
  const { prefetcher, started } = controlled();
  prefetcher.ask(0, 5);
  expect(started).toEqual([0, 1, 2, 3, 4]);
});

test("a part that nobody asked for loads when it is taken, whatever else is loading", async () => {
  const { prefetcher, started, arrive } = controlled(1);
  prefetcher.ask(1, 9);
  const part = prefetcher.take(5);
  expect(started).toEqual([1, 5]);
  await arrive(5);
  await arrive(1);
  expect(await part).toBe(5);
  // The parts before it were passed over.
  expect(started).toEqual([1, 5, 6]);
});

test("while too many bytes wait, nothing is loaded ahead", async () => {
  const { prefetcher, started, arrive } = controlled(1, 3 * 1024 ** 2);
  prefetcher.ask(0, 9);
  await arrive(0);
  await arrive(1);
  expect(started).toEqual([0, 1]);
  await prefetcher.take(0);
  expect(started).toEqual([0, 1, 2]);
});

test("nothing is loaded after it was closed", async () => {
  const { prefetcher, started, arrive } = controlled(1);
  prefetcher.ask(0, 9);
  prefetcher.close();
  await arrive(0);
  expect(started).toEqual([0]);
  expect(prefetcher.has(0)).toBe(false);
});
