import { expect, test } from "@jest/globals";
import type { APIGatewayProxyEvent, Context } from "aws-lambda";
import { createApiKey } from "../../../functions/accounts/create-key.ts";
import { unknownRouteHandler } from "../../../functions/api/http.ts";
import { createAccount } from "../../../functions/store/accounts.ts";
import { startTable } from "../store/local-table.ts";

const table = await startTable();
const now = () => new Date("2026-11-21T00:00:00.000Z");
const handler = unknownRouteHandler({ table, now, log: { info() {}, error() {} } });
await createAccount(table, { name: "acme", credit_limit: null, rate_limit: 2, created_at: "" });
const { key } = await createApiKey(table, "acme", now());

async function ask(path: string, authorization?: string) {
  const headers = authorization === undefined ? null : { Authorization: authorization };
  const requestContext = { requestId: "request", path };
  const event = { httpMethod: "GET", path, resource: path, headers, requestContext };
  const answer = await handler(event as unknown as APIGatewayProxyEvent, {} as Context);
  return { ...answer, body: JSON.parse(String(answer.body)) };
}

test("a request that no route matches gets 404, and counts against the rate limit of its key", async () => {
  const answers = [await ask("/v1/none", `Bearer ${key}`), await ask("/", `Bearer ${key}`)];
  for (const [at, answer] of answers.entries())
    expect(answer).toEqual({
      statusCode: 404,
      headers: {
        "content-type": "application/json",
        "cache-control": "no-store",
        "x-request-id": "request",
        "ratelimit-policy": '"default";q=2;w=10',
        ratelimit: `"default";r=${1 - at};t=10`,
        vary: "accept-encoding",
      },
      body: { message: "There is no such endpoint." },
    });
  const refused = await ask("/v1/none", `Bearer ${key}`);
  expect(refused).toMatchObject({ statusCode: 429, headers: { "retry-after": "10" } });
});

test.each([undefined, "Bearer wrong", `Bearer ${key.slice(0, -1)}`, "AWS4-HMAC-SHA256 Credential=x"])(
  "without a valid key (%s), too, but without what is left",
  async (authorization) => {
    const answer = await ask("/v1/none", authorization);
    expect(answer).toMatchObject({ statusCode: 404, body: { message: "There is no such endpoint." } });
    expect(answer.headers).not.toHaveProperty("ratelimit");
    expect(answer.headers).not.toHaveProperty("www-authenticate");
  },
);

test("other methods of MCP get 405", async () => {
  expect(await ask("/v1/mcp")).toMatchObject({
    statusCode: 405,
    headers: { allow: "POST" },
    body: { message: "Send MCP messages with POST." },
  });
});
