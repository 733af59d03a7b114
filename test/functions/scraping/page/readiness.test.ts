import { beforeEach, describe, expect, jest, test } from "@jest/globals";
import { createBudget } from "../../../../functions/scraping/budget.ts";
import { ChangeSignal } from "../../../../functions/scraping/page/change-signal.ts";
import { MainFrame } from "../../../../functions/scraping/page/main-frame.ts";
import { NetworkActivity } from "../../../../functions/scraping/page/network-activity.ts";
import {
  askUntilIdle,
  waitForData,
  waitForDocument,
  waitForNextDocument,
  waitForPendingData,
} from "../../../../functions/scraping/page/readiness.ts";
import type { Tab } from "../../../../functions/scraping/page/tab.ts";
import { DevToolsEvents } from "./devtools.ts";

const LONG_MS = 30_000;
let events: DevToolsEvents;
let tab: Tab;

beforeEach(() => {
  events = new DevToolsEvents();
  const changes = new ChangeSignal();
  const network = new NetworkActivity(events.session);
  const main = new MainFrame(events.session, network, changes);
  main.start({ id: "main", url: "about:blank" });
  tab = {
    network,
    main,
    changes,
    crashed: new AbortController().signal,
    waitForNextTask: async () => {},
    undelivered: () => main.undelivered(0),
  } as unknown as Tab;
});

const budget = () => createBudget(Date.now() + LONG_MS);

describe("the document of an action", () => {
  test("is not waited for where none was asked for", async () => {
    await expect(waitForDocument(tab, LONG_MS)).resolves.toBe(true);
  });

  test("is waited for until it is shown", async () => {
    events.navigation("next");
    const arrived = waitForDocument(tab, LONG_MS);
    events.shown("next");
    await expect(arrived).resolves.toBe(true);
  });

  test("is given up after the timeout", async () => {
    events.navigation("next");
    await expect(waitForDocument(tab, 1)).resolves.toBe(false);
  });
});

describe("the next document", () => {
  test("is there as soon as it is shown", async () => {
    const next = waitForNextDocument(tab, 0, LONG_MS);
    events.shown("next");
    await expect(next).resolves.toBe(true);
  });

  test("never comes where the answer is a file", async () => {
    const next = waitForNextDocument(tab, 0, LONG_MS);
    events.navigation("file");
    events.response("file", { mimeType: "application/zip" });
    events.failed("file", "net::ERR_ABORTED", true);
    await expect(next).resolves.toBe(false);
  });
});

test("data that asks for more is waited for, too", async () => {
  events.request("ids");
  const arrived = waitForData(tab, budget());
  let isDone = false;
  const done = arrived.then(() => {
    isDone = true;
  });
  events.request("rows");
  events.finished("ids");
  await new Promise((resolve) => setTimeout(resolve, 120));
  expect(isDone).toBe(false);
  events.finished("rows");
  await done;
});

test("data that is waited for in vain is not waited for again", async () => {
  events.request("endless");
  await waitForPendingData(tab, createBudget(Date.now() + 2_050), LONG_MS);
  expect(tab.network.pending).toBe(0);
  events.request("endless");
  expect(tab.network.pending).toBe(0);
});

describe("a question", () => {
  const options = {
    isAnswer: (answer: string) => answer === "rows",
    idleMs: 10,
    timeoutMs: LONG_MS,
    requests: 0,
  };

  test("is asked again while a request is under way", async () => {
    events.request("rows");
    const ask = jest.fn(async (_waitMs: number, isFirst: boolean) => (isFirst ? "nothing" : "rows"));
    await expect(askUntilIdle(tab, ask, options)).resolves.toBe("rows");
    expect(ask).toHaveBeenCalledTimes(2);
  });

  test("is asked once where nothing is under way", async () => {
    const ask = jest.fn(async () => "nothing");
    await expect(askUntilIdle(tab, ask, options)).resolves.toBe("nothing");
    expect(ask).toHaveBeenCalledTimes(1);
  });

  test("is not asked for longer than the timeout", async () => {
    events.request("endless");
    const ask = async () => "nothing";
    await expect(askUntilIdle(tab, ask, { ...options, timeoutMs: 1 })).resolves.toBe("nothing");
  });
});
