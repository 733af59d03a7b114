import { expect, test } from "@jest/globals";
import { callMcp } from "../../../functions/api/call-mcp.ts";
import type { ApiDeps, ApiRequest } from "../../../functions/api/types.ts";

const ask = (body: unknown) =>
  callMcp(
    { body, headers: {} } as ApiRequest<"callMcp">,
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
