import { setImmediate } from "node:timers/promises";
import { expect, test } from "@jest/globals";
import { createLoadSlots } from "../../../../functions/scraping/politeness/pace.ts";

const url = "https://shop.example/";
const noWait = async () => {};

/** Pages whose time passes as the test says. */
function startSlots(concurrency = 4) {
  let now = 0;
  const slots = createLoadSlots(concurrency, () => now);
  /** Loads so many pages side by side, which take `ms`. */
  const load = async (count: number, ms: number, address = url) => {
    const arrival = Promise.withResolvers<void>();
    let [loading, most] = [0, 0];
    const pages = Array.from({ length: count }, () =>
      slots.run(address, noWait, async () => {
        loading += 1;
        most = Math.max(most, loading);
        await arrival.promise;
        loading -= 1;
      }),
    );
    await setImmediate();
    now += ms;
    arrival.resolve();
    await Promise.all(pages);
    return most;
  };
  return { slots, load };
}

test("as many pages of a host load as are allowed", async () => {
  const { slots, load } = startSlots();
  expect(await load(9, 10)).toBe(4);
  expect(slots.limit(url)).toBe(4);
  expect(await startSlots(1).load(3, 10)).toBe(1);
});

test("a page that fails makes room for the next", async () => {
  const { slots } = startSlots(1);
  const failing = slots.run(url, noWait, () => Promise.reject(new Error("no answer")));
  const next = slots.run(url, noWait, () => Promise.resolve("next"));
  await expect(failing).rejects.toThrow("no answer");
  expect(await next).toBe("next");
});

test("a host that is no faster side by side loads one page at a time", async () => {
  const { slots, load } = startSlots();
  await load(1, 600);
  await load(4, 2_300);
  expect(slots.limit(url)).toBe(4);
  await load(4, 2_500);
  expect(slots.limit(url)).toBe(1);
  expect(slots.limit("https://other.example/")).toBe(4);
  expect(await load(3, 600)).toBe(1);
  expect(slots.limit(url)).toBe(1);
});

test("unless its pages are as slow one at a time", async () => {
  const { slots, load } = startSlots();
  await load(1, 100);
  await load(4, 3_000);
  expect(slots.limit(url)).toBe(1);
  await load(1, 2_900);
  expect(slots.limit(url)).toBe(4);
});

test("a host in trouble loads one page at a time from then on", async () => {
  const { slots, load } = startSlots();
  slots.serialize(url);
  expect(await load(4, 10)).toBe(1);
  await load(1, 5_000);
  expect(slots.limit(url)).toBe(1);
});

test("a page waits for its turn when there is room for it, not before, and that wait does not make its host slow", async () => {
  let now = 0;
  const slots = createLoadSlots(1, () => now);
  const turns: string[] = [];
  const page = (name: string) =>
    slots.run(
      url,
      async () => {
        turns.push(`${name} waits`);
        now += 60_000;
      },
      async () => {
        turns.push(`${name} loads`);
      },
    );
  await Promise.all([page("first"), page("second")]);
  expect(turns).toEqual(["first waits", "first loads", "second waits", "second loads"]);
  expect(slots.limit(url)).toBe(1);
});

test("a host whose pages wait long for their turn may still load them side by side", async () => {
  let now = 0;
  const slots = createLoadSlots(4, () => now);
  const wait = async () => {
    now += 60_000;
  };
  await Promise.all([1, 2, 3, 4].map(() => slots.run(url, wait, async () => {})));
  expect(slots.limit(url)).toBe(4);
});
