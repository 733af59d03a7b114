import { expect, test } from "@jest/globals";
import type { APIGatewayProxyEvent, Context } from "aws-lambda";
import { getHealth } from "../../../functions/api/get-health.ts";
import { httpHandler } from "../../../functions/api/http.ts";
import { serviceRoutes } from "../../../functions/contract/service-routes.ts";
import { noQueues, unusedByApi } from "../../no-files.ts";
import { startTable } from "../store/local-table.ts";

const table = await startTable();

/** The health while the queues answer like this. */
async function health(checkQueues: () => Promise<void>): Promise<{ status: number; body: unknown }> {
  const deps = {
    table,
    queues: noQueues,
    now: () => new Date(),
    log: { info() {}, error() {} },
    ...unusedByApi,
    checkQueues,
  };
  const event = { headers: {}, requestContext: { requestId: "test" } } as unknown as APIGatewayProxyEvent;
  const handler = httpHandler(serviceRoutes.getHealth, getHealth, deps);
  const { statusCode, body } = await handler(event, {} as Context);
  return { status: statusCode, body: JSON.parse(String(body)) };
}

test("the service is healthy when the table and the queues answer", async () => {
  expect(await health(async () => {})).toEqual({ status: 200, body: { status: "ok" } });
});

test("the service is not healthy while a queue fails, or while it may not use it", async () => {
  const down = Object.assign(new Error("Service unavailable"), { $fault: "server" });
  expect(await health(() => Promise.reject(down))).toMatchObject({ status: 503 });
  const refused = Object.assign(new Error("Access denied"), { $fault: "client" });
  expect(await health(() => Promise.reject(refused))).toMatchObject({ status: 500 });
});
