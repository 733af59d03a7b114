import { expect, test } from "@jest/globals";
import type { APIGatewayProxyEvent, Context } from "aws-lambda";
import { createApiKey } from "../../../functions/accounts/create-key.ts";
import { httpHandler } from "../../../functions/api/http.ts";
import { HttpError } from "../../../functions/api/http-error.ts";
import type { ApiResponse } from "../../../functions/api/types.ts";
import { AUDIT_ACTIONS } from "../../../functions/contract/audit/audit-actions.ts";
import type { Route } from "../../../functions/contract/route.ts";
import { routes } from "../../../functions/contract/routes.ts";
import { createAccount } from "../../../functions/store/accounts.ts";
import { listAuditEntries } from "../../../functions/store/audit.ts";
import type { Table } from "../../../functions/store/table.ts";
import { startTable } from "../store/local-table.ts";
import { record } from "../store/recorder.ts";
import { withSend } from "../store/with-send.ts";

const table = await startTable();
let time = Date.parse("2026-11-21T00:00:00.000Z");
const now = () => new Date(time++);
let accounts = 0;

/** An account with a key, and the responses of a route whose handler returns `answer`. */
async function world(of: Table = table) {
  accounts += 1;
  const account = `acme-${accounts}`;
  await createAccount(table, { name: account, credit_limit: null, rate_limit: 1_000, created_at: "" });
  const { id, key } = await createApiKey(table, account, now(), { label: "laptop" });
  const errors: unknown[][] = [];
  const log = { info() {}, error: (...entry: unknown[]) => void errors.push(entry) };
  const ask = (route: Route, answer: () => ApiResponse, target = "one") =>
    httpHandler(route, async () => answer(), { table: of, now, log })(
      {
        httpMethod: route.method,
        headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
        body: '{"secret":"hunter2"}',
        pathParameters: route.path.includes("{") ? { id: target } : null,
        requestContext: { requestId: "request", path: route.path },
      } as unknown as APIGatewayProxyEvent,
      {} as Context,
    );
  const entries = (before?: string) => listAuditEntries(table, account, { before, limit: 50 });
  return { account, id, errors, ask, entries };
}

test("each route that changes something is recorded, with its own action", () => {
  const actions = Object.values<Route>(routes).flatMap((route) =>
    route.method === "GET" ? [] : [route.action],
  );
  const named = actions.filter((action) => action !== null);
  expect(new Set(named).size).toBe(named.length);
  expect(AUDIT_ACTIONS).toEqual(expect.arrayContaining(named));
  const silent = Object.entries<Route>(routes).filter(
    ([, route]) => route.method !== "GET" && route.action === null,
  );
  // An inspection stores nothing. The tools of MCP are clients of the other routes.
  expect(silent.map(([name]) => name).sort()).toEqual(["callMcp", "createInspection"]);
});

test("a change is recorded with its actor and its target, by one write, without what was sent", async () => {
  const { account, id, ask, entries } = await world();
  await ask(routes.listRuns, () => ({ json: [] }));
  const requests = await record(table, () => ask(routes.deleteScraper, () => ({}), "a-scraper"));
  expect(requests).toMatchObject([{ capacity: 1 }, { command: "UpdateItemCommand", capacity: 1 }]);
  expect(JSON.stringify(requests)).not.toContain("hunter2");
  await ask(routes.createRun, () => ({ json: {}, headers: { location: "/v1/runs/a-run" } }));
  const actor = { type: "key", id, name: "laptop" };
  expect(await entries()).toEqual([
    { id: expect.any(String), at: expect.any(String), actor, action: "run.create", target: "a-run" },
    { id: expect.any(String), at: expect.any(String), actor, action: "scraper.delete", target: "a-scraper" },
  ]);
  expect(await listAuditEntries(table, `${account}0`, { limit: 50 })).toEqual([]);
});

test("what changed nothing is not recorded", async () => {
  const { ask, entries } = await world();
  await ask(routes.getRun, () => ({ json: {} }));
  await ask(routes.stopRun, () => ({ status: 200, json: {} }));
  await ask(routes.deleteRun, () => {
    throw new HttpError(409, "The run is in progress.");
  });
  await ask(routes.createInspection, () => ({ json: {} }));
  expect(await entries()).toEqual([]);
});

test("a change that the audit log can't take succeeds, and is in the log of the service", async () => {
  const failing = withSend(table, async (send, command) => {
    if (JSON.stringify(command.input).includes("#AUDIT")) throw new Error("The disk is full.");
    return send();
  });
  const { account, id, ask, entries, errors } = await world(failing);
  expect(await ask(routes.deleteScraper, () => ({}), "a-scraper")).toMatchObject({ statusCode: 204 });
  expect(await entries()).toEqual([]);
  expect(errors).toEqual([
    [
      "The audit log lacks a change",
      {
        account,
        actor: { type: "key", id, name: "laptop" },
        action: "scraper.delete",
        target: "a-scraper",
        at: expect.any(String),
        error: new Error("The disk is full."),
      },
    ],
  ]);
});

test("entries are read in pages, newest first", async () => {
  const { ask, entries } = await world();
  for (const target of ["one", "two", "three"]) await ask(routes.deleteHook, () => ({}), target);
  const [newest, ...others] = await entries();
  expect(newest?.target).toBe("three");
  expect(await entries(newest?.id)).toEqual(others);
  expect(others.map(({ target }) => target)).toEqual(["two", "one"]);
});
