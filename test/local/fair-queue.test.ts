import { expect, test } from "@jest/globals";
import { FairQueue } from "../../local/queues/fair-queue.ts";

/** A queue whose items end when the test says so, in the order in which they began. */
function stage(options: { concurrency: number; perGroup: number }) {
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  const queue = new FairQueue<string>(options);
  queue.start((item) => {
    begun.push(item);
    return new Promise((resolve) => {
      ends.push(resolve);
    });
  });
  return {
    queue,
    begun,
    async end(count = 1) {
      for (let ended = 0; ended < count; ended += 1) {
        ends.shift()?.();
        await new Promise(setImmediate);
      }
    },
  };
}

test("a long backlog of one group does not hold up the others", async () => {
  const { queue, begun, end } = stage({ concurrency: 2, perGroup: 2 });
  for (let item = 0; item < 100; item += 1) queue.add("big", `big ${item}`);
  for (const name of ["a", "b", "c"]) queue.add(name, name);
  await end(4);
  expect(begun.slice(0, 5)).toEqual(["big 0", "big 1", "a", "b", "c"]);
});

test("groups take turns", async () => {
  const { queue, begun, end } = stage({ concurrency: 1, perGroup: 1 });
  for (const item of ["a1", "a2", "a3", "b1", "b2", "c1"]) queue.add(item.charAt(0), item);
  await end(6);
  expect(begun).toEqual(["a1", "b1", "c1", "a2", "b2", "a3"]);
});

test("one group takes no more than its share, even when nobody else wants it", async () => {
  const { queue, begun, end } = stage({ concurrency: 4, perGroup: 2 });
  for (const item of ["a1", "a2", "a3"]) queue.add("a", item);
  expect(begun).toEqual(["a1", "a2"]);
  queue.add("b", "b1");
  expect(begun).toEqual(["a1", "a2", "b1"]);
  await end();
  expect(begun).toEqual(["a1", "a2", "b1", "a3"]);
});

test("it drops what waits, and tells when nothing is left in work", async () => {
  const { queue, begun, end } = stage({ concurrency: 1, perGroup: 1 });
  for (const item of ["1", "2", "3"]) queue.add("a", item);
  await end();
  const drained = queue.drain();
  await end();
  await drained;
  expect(begun).toEqual(["1", "2"]);
});
