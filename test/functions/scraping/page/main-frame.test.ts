import { beforeEach, describe, expect, test } from "@jest/globals";
import { ChangeSignal } from "../../../../functions/scraping/page/change-signal.ts";
import { MainFrame } from "../../../../functions/scraping/page/main-frame.ts";
import { NetworkActivity } from "../../../../functions/scraping/page/network/network-activity.ts";
import { DevToolsEvents } from "./devtools.ts";

let events: DevToolsEvents;
let main: MainFrame;
let network: NetworkActivity;
let changes: ChangeSignal;

beforeEach(() => {
  events = new DevToolsEvents();
  changes = new ChangeSignal();
  network = new NetworkActivity(events.session, { endless: new Map(), giveUp: () => {} });
  main = new MainFrame(events.session, network, changes, { documents: 0 });
  main.start({ id: "main", url: "about:blank" });
});

test("a document is known by its answer, and counts once it is shown", () => {
  events.navigation("first");
  events.response("first", { status: 404, headers: { "Retry-After": "3" } });
  expect(main.number).toBe(0);
  expect(main.isAwaited).toBe(true);
  events.shown("first");
  expect(main.document).toMatchObject({
    url: "https://shop.example/first",
    status: 404,
    headers: { "retry-after": "3" },
    error: undefined,
  });
  expect([main.number, main.takeLoads(), main.takeLoads()]).toEqual([1, 1, 0]);
  expect(main.isAwaited).toBe(false);
});

test("a document that was replaced at once has been shown", () => {
  events.shown("brief");
  events.shown("next");
  expect([main.hasShown("brief"), main.hasShown("next"), main.hasShown("other")]).toEqual([
    true,
    true,
    false,
  ]);
});

test("documents of other frames change nothing", () => {
  events.navigation("inner", { frameId: "advert" });
  events.response("inner", { frameId: "advert" });
  events.emit("Page.frameNavigated", {
    frame: { id: "advert", parentId: "main", loaderId: "inner", url: "x" },
  });
  expect(main.number).toBe(0);
  expect(main.isAwaited).toBe(false);
});

test("the browser's own error page stands for the address that could not be reached", () => {
  events.navigation("lost");
  events.failed("lost", "net::ERR_NAME_NOT_RESOLVED");
  events.shown("error-page", { unreachableUrl: "https://shop.example/lost" });
  expect(main.document).toMatchObject({
    url: "https://shop.example/lost",
    status: 0,
    error: "net::ERR_NAME_NOT_RESOLVED",
  });
});

test("a document whose transfer breaks off is cut off, until the next one", () => {
  events.navigation("half");
  events.response("half");
  events.shown("half");
  events.failed("half", "net::ERR_CONTENT_LENGTH_MISMATCH");
  expect(main.isCutOff).toBe(true);
  events.shown("next");
  expect(main.isCutOff).toBe(false);
});

describe("an answer that is no document", () => {
  beforeEach(() => {
    events.navigation("file");
    events.response("file", { mimeType: "application/zip" });
    events.failed("file", "net::ERR_ABORTED", true);
  });

  test("is undelivered for whoever asked before it", () => {
    expect(main.undelivered(0)).toMatchObject({ url: "https://shop.example/file", error: "download" });
    expect(main.undelivered(1)).toBeUndefined();
  });

  test("ends the wait for a document", () => {
    expect(main.isAwaited).toBe(false);
  });
});

test("a page that is canceled is not a download", () => {
  events.navigation("page");
  events.response("page");
  events.failed("page", "net::ERR_ABORTED", true);
  expect(main.undelivered(0)).toBeUndefined();
});

test("an address leads back only to what was not submitted, and is not endless", () => {
  events.shown("list");
  expect(main.addressOf("https://shop.example/list")).toBe("https://shop.example/list");
  expect(main.addressOf(`https://shop.example/${"x".repeat(9_000)}`)).toBeUndefined();
  events.navigation("result", { method: "POST" });
  events.response("result");
  events.shown("result");
  expect(main.addressOf("https://shop.example/result")).toBeUndefined();
});

test("whoever waits is woken by a new document", async () => {
  const count = main.number;
  const waiting = changes.until(() => main.number > count, 60_000, new AbortController().signal);
  events.shown("next");
  expect(await waiting).toBe(true);
});
