import { EventEmitter } from "node:events";
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

/** The clock of a page whose browser stops its time as `stops` says, and the jumps that it was asked for. */
function virtualClock(stops: (jump: number) => boolean) {
  let now = 0;
  jest.spyOn(performance, "now").mockImplementation(() => {
    now += 300;
    return now;
  });
  const jumps: string[] = [];
  const network = { isHolding: false, started: 0, isHeldForNothing: () => false };
  const cdp = Object.assign(new EventEmitter(), {
    send: async (_: string, { policy, budget }: { policy: string; budget: number }) => {
      const isStopped = stops(jumps.length) && policy !== "advance";
      jumps.push(`${policy === "advance" ? "over requests" : "up to requests"}: ${budget}`);
      if (!isStopped) setImmediate(() => cdp.emit("Emulation.virtualTimeBudgetExpired"));
      return { virtualTimeTicksBase: 0 };
    },
  });
  const options = {
    browser: new BrowserClock(),
    draws: true,
    closed: new AbortController().signal,
    network,
    now: async () => undefined,
  };
  const clock = new PageClock(...([cdp, options] as unknown as ConstructorParameters<typeof PageClock>));
  const passing = { isOver: () => false, isIdle: async () => false, usefulMs: 10 };
  return { jumps, network, pass: () => clock.pass(10, passing, 1_000) };
}

test("a browser that waits for a request that is not there is no longer asked to, until there is another one", async () => {
  const { jumps, network, pass } = virtualClock((jump) => jump === 0);
  await pass();
  expect(jumps).toEqual(["up to requests: 10", "over requests: 1", "over requests: 10"]);
  await pass();
  expect(jumps.slice(3)).toEqual(["over requests: 10"]);
  network.started += 1;
  await pass();
  expect(jumps.slice(4)).toEqual(["up to requests: 10"]);
});

test("a page that was busy, and has sent a request since, is waited for", async () => {
  const { jumps, network, pass } = virtualClock((jump) => {
    network.isHolding = jump > 0;
    return jump === 0;
  });
  await pass();
  expect(jumps).toEqual(["up to requests: 10", "over requests: 1", "up to requests: 10"]);
});
