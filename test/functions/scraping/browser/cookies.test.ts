import { expect, jest, test } from "@jest/globals";
import type { BrowserContext } from "playwright-core";
import { CookieLives, shifted } from "../../../../functions/scraping/browser/cookies.ts";

const HOUR = 3_600;

/** A context with a cookie that lasts as long as the browser and one that ends. */
function contextWith(expires: number) {
  const cookies = [
    { name: "open", value: "1", domain: "a.example", path: "/", expires: -1 },
    { name: "ending", value: "2", domain: "a.example", path: "/", expires },
  ];
  const addCookies = jest.fn(async (_: { name: string; expires: number }[]) => {});
  const context = { cookies: async () => cookies, addCookies } as unknown as BrowserContext;
  return { context, added: () => addCookies.mock.calls.map(([[cookie]]) => cookie) };
}

test("cookies get the time back by which the clock has jumped ahead, and only that", async () => {
  const ends = Math.round(Date.now() / 1_000) + HOUR;
  const { context, added } = contextWith(ends);
  const lives = new CookieLives();
  const clock = { aheadMs: 0 };
  const now = async () => Date.now() + clock.aheadMs;

  clock.aheadMs = 9_000;
  await lives.passed(9_000, now, context);
  expect(added()).toEqual([]);

  clock.aheadMs = 30_000;
  await lives.passed(21_000, now, context);
  expect(added()).toEqual([{ ...(await context.cookies())[1], expires: expect.closeTo(ends + 30, 0) }]);
  expect(lives.aheadMs).toBeCloseTo(30_000, -3);

  clock.aheadMs = 55_000;
  await lives.passed(25_000, now, context);
  expect(added()[1]?.expires).toBeCloseTo(ends + 25, 0);
});

test("a page that does not tell the time gives it back later", async () => {
  const { context, added } = contextWith(Math.round(Date.now() / 1_000) + HOUR);
  const lives = new CookieLives();
  await lives.passed(30_000, async () => undefined, context);
  expect(added()).toEqual([]);
  await lives.passed(1, async () => Date.now() + 30_000, context);
  expect(added()).toHaveLength(1);
});

test("only the ends of cookies that have one in time are shifted", () => {
  const cookies = [{}, { expires: -1 }, { expires: 0 }, { expires: 100 }];
  expect(shifted(cookies, 2_500)).toEqual([{}, { expires: -1 }, { expires: 0 }, { expires: 102.5 }]);
  expect(shifted(cookies)).toEqual(cookies);
});
