import { expect, test } from "@jest/globals";
import type { APIGatewayProxyEvent, Context } from "aws-lambda";
import { createApiKey } from "../../../functions/accounts/create-key.ts";
import { httpHandler } from "../../../functions/api/http.ts";
import type { Route } from "../../../functions/contract/route.ts";
import { routes } from "../../../functions/contract/routes.ts";
import { KEY_SCOPES } from "../../../functions/contract/scope.ts";
import { createAccount } from "../../../functions/store/accounts.ts";
import { startTable } from "../store/local-table.ts";

const table = await startTable();
const now = () => new Date("2026-11-21T00:00:00.000Z");
const deps = { table, now, log: { info() {}, error() {} } };
await createAccount(table, { name: "acme", credit_limit: null, rate_limit: 1_000, created_at: "" });

/** The response of a route whose handler only says that it was reached. */
async function ask(route: Route, key: string) {
  const handler = httpHandler(route, async () => ({ status: 202, json: "reached" }), deps);
  const event = {
    httpMethod: route.method,
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: "{}",
    requestContext: { requestId: "request", path: route.path },
  };
  return handler(event as unknown as APIGatewayProxyEvent, {} as Context);
}

const byScope = Object.groupBy(Object.entries<Route>(routes), ([, { scope }]) => scope);

test.each(KEY_SCOPES)("a key with the scope %s reaches the routes that it permits", async (granted) => {
  const { key } = await createApiKey(table, "acme", now(), { scope: granted });
  for (const needed of KEY_SCOPES) {
    expect(byScope[needed]).not.toHaveLength(0);
    for (const [name, route] of byScope[needed] ?? []) {
      const { statusCode, headers, body } = await ask(route, key);
      if (KEY_SCOPES.indexOf(granted) >= KEY_SCOPES.indexOf(needed)) {
        expect([name, statusCode, body]).toEqual([name, 202, '"reached"']);
        continue;
      }
      expect([name, statusCode, JSON.parse(String(body))]).toEqual([
        name,
        403,
        {
          message: `You have the scope "${granted}", and this request needs "${needed}". Use another key, or ask the operator of the service.`,
        },
      ]);
      expect(headers["www-authenticate"]).toBe(`Bearer error="insufficient_scope", scope="${needed}"`);
    }
  }
});

test("a request that changes or starts anything needs more than read", () => {
  const reading = byScope.read?.filter(([, { method }]) => method !== "GET").map(([name]) => name);
  // The tools of MCP are clients of the other routes, with the key of the caller.
  expect(reading).toEqual(["callMcp"]);
});

test("a request with an expired key gets 401, which says since when", async () => {
  const { key } = await createApiKey(table, "acme", now(), { expires_at: "2026-11-20T00:00:00.000Z" });
  const { statusCode, headers, body } = await ask(routes.listRuns, key);
  expect([statusCode, JSON.parse(String(body))]).toEqual([
    401,
    {
      message:
        "The API key expired at 2026-11-20T00:00:00.000Z. Ask the operator of the service for another one.",
    },
  ]);
  expect(headers["www-authenticate"]).toBe('Bearer error="invalid_token"');
});
