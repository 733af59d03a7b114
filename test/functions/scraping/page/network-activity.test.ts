import { afterEach, beforeEach, describe, expect, jest, test } from "@jest/globals";
import { NetworkActivity } from "../../../../functions/scraping/page/network/network-activity.ts";
import { DevToolsEvents } from "./devtools.ts";

let events: DevToolsEvents;
let network: NetworkActivity;

beforeEach(() => {
  events = new DevToolsEvents();
  network = new NetworkActivity(events.session, { endless: new Map(), giveUp: () => {} });
});

test("requests for data and documents are counted, others are not", () => {
  events.request("data");
  events.request("more", { type: "XHR" });
  events.request("style", { type: "Stylesheet" });
  events.navigation("page");
  expect(network.started).toBe(3);
});

test("requests stop the page's time until they end, however they end", () => {
  events.request("code", { type: "Script" });
  events.request("worker.js", { type: "Script" });
  events.request("data");
  network.forgetScript("https://shop.example/worker.js");
  events.finished("code");
  expect(network).toMatchObject({ started: 1, isHolding: true });
  events.failed("data", "net::ERR_FAILED");
  expect(network.isHolding).toBe(false);
});

test("requests that do not end in time, and polls, stop the page's time for nothing", () => {
  jest.useFakeTimers();
  const isHeldForNothing = () => {
    network.isHeldForNothing(5_000);
    jest.advanceTimersByTime(200);
    return network.isHeldForNothing(5_000);
  };
  events.request("slow");
  expect(isHeldForNothing()).toBe(false);
  jest.advanceTimersByTime(5_000);
  expect(isHeldForNothing()).toBe(true);
  events.finished("slow");
  for (let image = 0; image < 20; image += 1) events.request(`${image}`, { path: `image?${image}` });
  expect(isHeldForNothing()).toBe(false);
  for (let image = 0; image < 20; image += 1) events.finished(`${image}`);
  for (let time = 0; time < 6; time += 1) {
    events.finished("poll");
    events.request("poll");
  }
  expect(isHeldForNothing()).toBe(false);
  events.finished("poll");
  events.request("poll");
  expect(isHeldForNothing()).toBe(true);
  events.request("data");
  expect(isHeldForNothing()).toBe(false);
  jest.useRealTimers();
});

describe("a request without an answer in time", () => {
  const bodies = new Map<string, string>();
  const rows = [{ name: "Desk lamp" }];
  const isHeldForNothing = (patienceMs: number) => {
    network.isHeldForNothing(patienceMs);
    jest.advanceTimersByTime(200);
    return network.isHeldForNothing(patienceMs);
  };
  const answered = (id: string, request: Parameters<DevToolsEvents["request"]>[1], body: string) => {
    events.request(id, request);
    bodies.set(id, body);
    events.response(id);
    events.finished(id);
  };
  const isLate = async (id: string, request?: Parameters<DevToolsEvents["request"]>[1]) => {
    events.request(id, request);
    jest.advanceTimersByTime(5_000);
    expect(isHeldForNothing(5_000)).toBe(true);
    return (await network.late(rows)) !== undefined;
  };

  beforeEach(() => {
    jest.useFakeTimers();
    bodies.clear();
    events.send = async (_, { requestId }) => ({ body: bodies.get(requestId), base64Encoded: false });
  });
  afterEach(() => void jest.useRealTimers());

  test("is late, and one that has more time may still be answered", async () => {
    events.request("slow");
    events.request("script", { type: "Script" });
    jest.advanceTimersByTime(5_000);
    expect(await network.late(rows)).toBeUndefined();
    expect(isHeldForNothing(5_000)).toBe(true);
    expect(await network.late(rows)).toBe("https://shop.example/slow");
    expect(isHeldForNothing(20_000)).toBe(false);
    expect(isHeldForNothing(5_000)).toBe(true);
    events.finished("slow");
    expect(await network.late(rows)).toBeUndefined();
  });

  test.each([
    ["with the next number", { path: "news" }, { path: "news?after=17" }],
    ["with another token", { path: "news?t=PXkQnXa" }, { path: "news?t=OzmWbQe" }],
    [
      "by POST",
      { path: "rpc", body: '{"do":"poll","id":"a1"}' },
      { path: "rpc", body: '{"do":"poll","id":"b2"}' },
    ],
  ])("is a poll if it repeats one that had nothing to show, %s", async (_, first, second) => {
    answered("first", first, '[{"name":"Dan"}]');
    expect(await isLate("second", second)).toBe(false);
  });

  test.each([
    [
      "the answer before has rows",
      { path: "data?page=1" },
      { path: "data?page=2" },
      '[{"name":"Desk\\u0020lamp"}]',
    ],
    ["the answer before is long", { path: "data?page=1" }, { path: "data?page=2" }, "-".repeat(200_000)],
    ["it asks for something else", { path: "rpc?do=user" }, { path: "rpc?do=listLamps" }, "{}"],
    [
      "it asks for something else by POST",
      { path: "graphql", body: '{"query":"{user}"}' },
      { path: "graphql", body: '{"query":"{lamps}"}' },
      "{}",
    ],
  ])("may bring rows if %s", async (_, first, second, body) => {
    answered("first", first, body);
    expect(await isLate("second", second)).toBe(true);
  });

  test("may bring rows if something was done to the page since the same was answered", async () => {
    answered("first", { path: "data" }, "[]");
    network.acted();
    expect(await isLate("second", { path: "data" })).toBe(true);
  });
});

test("data that still arrives is received until it ends, or takes too long", () => {
  jest.useFakeTimers();
  events.request("data");
  events.emit("Network.dataReceived", { requestId: "data" });
  expect(network.isReceiving(5_000)).toBe(true);
  expect(network.isStreaming(performance.now() - 1)).toBe(true);
  jest.advanceTimersByTime(5_000);
  expect(network.isReceiving(5_000)).toBe(false);
  expect(network.isStreaming(performance.now() - 1)).toBe(false);
  events.finished("data");
  expect(network.isReceiving(50_000)).toBe(false);
  jest.useRealTimers();
});

test("failures are noted until they are forgotten, apart from those that say something of what was asked for", () => {
  events.request("none");
  events.response("none", { status: 404 });
  events.request("left");
  events.failed("left", "net::ERR_ABORTED", true);
  expect(network.failed).toBeUndefined();
  events.request("busy");
  events.response("busy", { status: 429 });
  expect(network.failed).toBe("https://shop.example/busy (status 429)");
  events.request("cut");
  events.failed("cut", "net::ERR_CONNECTION_RESET");
  expect(network.failed).toBe("https://shop.example/cut (net::ERR_CONNECTION_RESET)");
  network.forgetFailed(3);
  expect(network.failed).toBeDefined();
  network.forgetFailed(4);
  expect(network.failed).toBeUndefined();
});

test("a stream that never ends is a channel once its type is known", () => {
  events.request("stream");
  events.response("stream", { mimeType: "text/event-stream" });
  expect(network.hasChannels).toBe(true);
  expect(network.isUnanswered(0)).toBe(false);
});

test("an event stream is known to have no end before its first message", () => {
  events.request("events", { type: "EventSource" });
  expect(network.hasChannels).toBe(true);
  expect(network.isReceiving(5_000)).toBe(false);
});

describe("what is sent by a WebSocket", () => {
  const frame = (opcode: number, payloadData: string) => ({
    requestId: "socket",
    response: { opcode, payloadData },
  });
  const send = (opcode = 1, text = "list") => events.emit("Network.webSocketFrameSent", frame(opcode, text));
  const receive = (opcode = 1, text = "rows") =>
    events.emit("Network.webSocketFrameReceived", frame(opcode, text));

  beforeEach(() => {
    jest.useFakeTimers();
    events.emit("Network.webSocketCreated", { requestId: "socket", url: "wss://shop.example/live?id=1" });
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  test("is a request until the next message", () => {
    receive();
    expect(network.isAsking).toBe(false);
    send();
    send();
    expect(network).toMatchObject({ started: 1, isAsking: true });
    expect(network.isUnanswered(0)).toBe(true);
    receive(10);
    expect(network.isAsking).toBe(true);
    receive(2);
    expect(network).toMatchObject({ started: 1, isAsking: false });
    expect(network.isUnanswered(0)).toBe(false);
    send(9);
    expect(network.isAsking).toBe(false);
  });

  test("is not waited for any more where no message ever comes", () => {
    send();
    jest.advanceTimersByTime(6_000);
    expect(network.isAsking).toBe(false);
    expect(network.isUnheard(0)).toBe(false);
    send();
    expect(network).toMatchObject({ started: 1, isAsking: false });
  });

  test("is waited for again after one that had no answer", () => {
    receive();
    send();
    jest.advanceTimersByTime(6_000);
    expect(network.isAsking).toBe(false);
    expect(network.isUnheard(0)).toBe(true);
    expect(network.isUnheard(1)).toBe(false);
    send();
    expect(network).toMatchObject({ started: 2, isAsking: true });
  });

  test("is a request, also if it is a number such as that of a page", () => {
    receive();
    send(1, "3");
    expect(network).toMatchObject({ started: 1, isAsking: true });
    receive(1, "2");
    expect(network.isAsking).toBe(false);
  });

  test.each(["2probe", "5", "3"])("and only keeps a connection of Socket.IO is no request: %s", (text) => {
    events.emit("Network.webSocketClosed", { requestId: "socket" });
    const url = "wss://shop.example/socket.io/?EIO=4&transport=websocket";
    events.emit("Network.webSocketCreated", { requestId: "socket", url });
    receive(1, "3probe");
    send(1, text);
    receive(1, "2");
    jest.advanceTimersByTime(2_000);
    expect(network).toMatchObject({ started: 0, isAsking: false });
    send();
    receive();
    expect(network.isAsking).toBe(false);
  });

  test("may have an answer on its way after other messages", () => {
    receive();
    receive();
    send();
    expect(network.isAsking).toBe(true);
    receive();
    expect(network.isAsking).toBe(true);
    jest.advanceTimersByTime(6_000);
    expect(network.isAsking).toBe(false);
    send();
    expect(network).toMatchObject({ isAsking: true });
  });

  test("a first message is waited for, and is no answer", () => {
    expect(network).toMatchObject({ started: 0, isAsking: true });
    jest.advanceTimersByTime(2_000);
    expect(network.isAsking).toBe(false);
    send();
    expect(network).toMatchObject({ started: 1, isAsking: true });
  });

  test("has no answer once the socket is closed", () => {
    send();
    events.emit("Network.webSocketClosed", { requestId: "socket" });
    expect(network).toMatchObject({ isAsking: false, hasChannels: false });
  });
});

test("what was asked for since is unanswered until one of it has ended", () => {
  events.request("before");
  expect(network.isUnanswered(1)).toBe(false);
  events.request("after");
  events.finished("before");
  expect(network.isUnanswered(1)).toBe(true);
  events.finished("after");
  expect(network.isUnanswered(1)).toBe(false);
});
