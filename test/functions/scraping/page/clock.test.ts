import { afterEach, expect, jest, test } from "@jest/globals";
import { BrowserClock, PageClock } from "../../../../functions/scraping/page/clock.ts";

afterEach(() => {
  jest.restoreAllMocks();
});

/** The clock of a page in real time, and what it asks while time passes. */
function realClock(isIdle: () => boolean) {
  const network = { isHolding: false };
  const options = {
    browser: new BrowserClock(),
    draws: false,
    closed: new AbortController().signal,
    network,
  };
  const clock = new PageClock(...([{}, options] as unknown as ConstructorParameters<typeof PageClock>));
  const asked = jest.fn(async () => isIdle());
  return {
    clock,
    asked,
    pass: (ms: number) => clock.pass(ms, { isOver: () => false, isIdle: asked, usefulMs: ms }, 1_000),
  };
}

test("in real time, time in which the page can't run does not count", async () => {
  let now = 0;
  jest.spyOn(performance, "now").mockImplementation(() => {
    now += 4_000;
    return now;
  });
  const { asked, pass } = realClock(() => false);
  await pass(300);
  expect(asked).toHaveBeenCalledTimes(5);
});

test("in real time, what is left once the page waits for nothing is left out", async () => {
  const { clock, asked, pass } = realClock(() => true);
  await pass(3_600_000);
  expect(asked).toHaveBeenCalledTimes(2);
  expect(clock.passedMs).toBe(3_600_000);
});
