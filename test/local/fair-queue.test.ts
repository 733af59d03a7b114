import { expect, test } from "@jest/globals";
import { FairQueue } from "../../local/queues/fair-queue.ts";

/** A queue whose items end when the test says so, in the order in which they began. */
function stage(concurrency: number) {
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  const queue = new FairQueue<string>(concurrency);
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
  const { queue, begun, end } = stage(3);
  for (let item = 0; item < 100; item += 1) queue.add("big", `big ${item}`);
  for (const name of ["a", "b", "c"]) queue.add(name, name);
  await end(4);
  expect(begun.slice(0, 5)).toEqual(["big 0", "big 1", "a", "b", "c"]);
});

test("groups take turns", async () => {
  const { queue, begun, end } = stage(1);
  for (const item of ["a1", "a2", "a3", "b1", "b2", "c1"]) queue.add(item.charAt(0), item);
  await end(6);
  expect(begun).toEqual(["a1", "b1", "c1", "a2", "b2", "a3"]);
});

test.each([2, 3, 4, 64])(
  "of %i slots, one is free for a group that comes later, whatever never ends",
  (concurrency) => {
    const { queue, begun } = stage(concurrency);
    for (let item = 0; item < 100; item += 1) queue.add("hangs", "hangs");
    expect(begun).toHaveLength(Math.ceil(concurrency / 2));
    queue.add("later", "later");
    expect(begun.at(-1)).toBe("later");
  },
);

test("every group that waits comes next before one that has something running", async () => {
  const { queue, begun, end } = stage(3);
  for (const item of ["a1", "a2", "a3", "b1", "b2"]) queue.add(item.charAt(0), item);
  for (const item of ["c1", "d1"]) queue.add(item.charAt(0), item);
  expect(begun).toEqual(["a1", "a2", "b1"]);
  await end(2);
  expect(begun.slice(3)).toEqual(["c1", "d1"]);
});

test("an item that is removed while it waits is not started", async () => {
  const { queue, begun, end } = stage(1);
  for (const item of ["a1", "a2", "a3"]) queue.add("a", item);
  expect(["a1", "a2", "a2"].map((item) => queue.remove("a", item))).toEqual([false, true, false]);
  await end(3);
  expect(begun).toEqual(["a1", "a3"]);
});

test("it drops what waits, and tells when nothing is left in work", async () => {
  const { queue, begun, end } = stage(1);
  for (const item of ["1", "2", "3"]) queue.add("a", item);
  await end();
  const drained = queue.drain();
  await end();
  await drained;
  expect(begun).toEqual(["1", "2"]);
});
