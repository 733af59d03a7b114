import { expect, test } from "@jest/globals";
import { callMcp } from "../../../functions/api/call-mcp.ts";
import type { ApiDeps, ApiRequest } from "../../../functions/api/types.ts";
import type { Scope } from "../../../functions/contract/scope.ts";
import { caller } from "./caller.ts";

const ask = (body: unknown, headers = {}, scope: Scope = "write") =>
  callMcp(
    { body, headers, caller: { ...caller, scope } } as ApiRequest<"callMcp">,
    { baseUrl: () => "http://127.0.0.1:9", log: { info() {}, error() {} } } as unknown as ApiDeps,
  );
const nested = (levels: number): unknown => JSON.parse("[".repeat(levels) + "]".repeat(levels));

test("a body of very many levels is refused before anything walks through it", async () => {
  await expect(ask(nested(100_000))).rejects.toMatchObject({ status: 400 });
  await expect(ask(nested(102))).rejects.toMatchObject({ status: 400 });
  expect(await ask(nested(100))).toMatchObject({ status: 400, json: { jsonrpc: "2.0" } });
});

test("a notification gets no body", async () => {
  expect(await ask({ jsonrpc: "2.0", method: "notifications/initialized" })).toEqual({ status: 202 });
});

test("only a client that accepts an event stream gets one", async () => {
  const list = { jsonrpc: "2.0", id: 7, method: "tools/list" };
  const listed = { jsonrpc: "2.0", id: 7, result: { tools: expect.anything() } };
  for (const headers of [{}, { accept: "*/*" }, { accept: "application/json" }])
    expect(await ask(list, headers)).toMatchObject({ status: 200, json: listed });
  const answer = await ask(list, { accept: "application/json, text/event-stream" });
  expect(answer).toMatchObject({ status: 200, headers: { "content-type": "text/event-stream" } });
  expect(Buffer.concat(await Array.fromAsync(answer.content as AsyncIterable<Buffer>)).toString()).toContain(
    '"id":7',
  );
});

test("an agent sees the tools that its key permits", async () => {
  const listed = async (scope: Scope) => {
    const { json } = await ask({ jsonrpc: "2.0", id: 7, method: "tools/list" }, {}, scope);
    return (json as { result: { tools: { name: string }[] } }).result.tools.map(({ name }) => name).sort();
  };
  const reading = ["get_changes", "get_rows", "get_run", "get_scraper", "list_scrapers"];
  expect(await listed("read")).toEqual(reading);
  expect(await listed("run")).toEqual([...reading, "start_run", "stop_run"]);
  expect(await listed("write")).toHaveLength(10);
});
