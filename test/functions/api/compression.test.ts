import { once } from "node:events";
import { type IncomingMessage, request, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { gunzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { createApiKey } from "../../../functions/accounts/create-key.ts";
import { apiHandlers } from "../../../functions/api/api-handlers.ts";
import { httpHandler } from "../../../functions/api/http.ts";
import { runRoutes } from "../../../functions/contract/runs/run-routes.ts";
import { createAccount, setLimits } from "../../../functions/store/accounts.ts";
import { createGateway } from "../../../local/http/gateway.ts";
import { noQueues, unusedByApi } from "../../no-files.ts";
import { startTable } from "../store/local-table.ts";

const ACCOUNT = "compression";
const table = await startTable();

/** What the next `GET` of a run responds with. */
let json: unknown;
const logged: string[] = [];
let server: Server;
let origin: string;
let key: string;

beforeAll(async () => {
  await createAccount(table, { name: ACCOUNT, credit_limit: null, rate_limit: null, created_at: "" });
  await setLimits(table, ACCOUNT, { rate_limit: 1_000 });
  ({ key } = await createApiKey(table, ACCOUNT, new Date()));
  const log = { info() {}, error: (message: string) => void logged.push(message) };
  const deps = {
    table,
    queues: noQueues,
    now: () => new Date(),
    log,
    ...unusedByApi,
  };
  const getRun = httpHandler(runRoutes.getRun, async () => ({ json }), deps);
  server = createGateway({ ...apiHandlers(deps), getRun }, log);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.close();
  server.closeAllConnections();
});

/** The response as it comes over the wire. */
async function ask(headers: object = {}, method = "GET", path = "/v1/runs/x"): Promise<IncomingMessage> {
  const asked = request(origin + path, {
    method,
    agent: false,
    headers: { authorization: `Bearer ${key}`, ...headers },
  }).end();
  const [response] = (await once(asked, "response")) as [IncomingMessage];
  return response;
}

const bytesOf = async (response: IncomingMessage) =>
  Buffer.concat(await Array.fromAsync(response as AsyncIterable<Buffer>));

const GZIP = { "accept-encoding": "gzip" };
const large = { text: "Größe ".repeat(1_000) };

test("a response of more than 1 kB is compressed", async () => {
  json = large;
  const response = await ask(GZIP);
  expect(response.headers).toMatchObject({
    "content-type": "application/json",
    "content-encoding": "gzip",
    vary: "accept-encoding",
    "x-request-id": expect.any(String),
  });
  expect(response.headers).not.toHaveProperty("content-length");
  const bytes = await bytesOf(response);
  expect(bytes.length).toBeLessThan(200);
  expect(JSON.parse(gunzipSync(bytes).toString())).toEqual(large);
});

test("a smaller response is not, streamed or not", async () => {
  async function* parts() {
    yield '{"id":';
    yield Buffer.from('"ü"}');
  }
  for (const small of [{ id: "ü" }, parts()]) {
    json = small;
    const response = await ask(GZIP);
    expect(response.headers).toMatchObject({ "content-length": "11", vary: "accept-encoding" });
    expect(response.headers).not.toHaveProperty("content-encoding");
    expect((await bytesOf(response)).toString()).toBe('{"id":"ü"}');
  }
});

test.each([
  ["gzip, deflate, br, zstd", true],
  ["br;q=1.0, gzip;q=0.5, *;q=0.1", true],
  ["GZIP", true],
  ["*", true],
  ["gzip;q=0", false],
  ["gzip;q=0, *", false],
  ["br, zstd", false],
  ["identity", false],
  ["", false],
  [undefined, false],
  [";;;q=, =gzip", false],
])("Accept-Encoding: %s", async (header, compressed) => {
  json = large;
  const response = await ask(header === undefined ? {} : { "accept-encoding": header });
  expect(response.headers["content-encoding"]).toBe(compressed ? "gzip" : undefined);
  const bytes = await bytesOf(response);
  expect(JSON.parse((compressed ? gunzipSync(bytes) : bytes).toString())).toEqual(large);
});

test("a long error is compressed, too", async () => {
  const fields = Array.from({ length: 60 }, (_, at) => `steps[${at}][valeu]=x`).join("&");
  const asked = request(`${origin}/v1/runs`, {
    method: "POST",
    agent: false,
    headers: {
      authorization: `Bearer ${key}`,
      "content-type": "application/x-www-form-urlencoded",
      ...GZIP,
    },
  }).end(fields);
  const [response] = (await once(asked, "response")) as [IncomingMessage];
  expect(response.statusCode).toBe(400);
  expect(response.headers).toMatchObject({ "content-encoding": "gzip", vary: "accept-encoding" });
  const { errors } = JSON.parse(gunzipSync(await bytesOf(response)).toString());
  expect(errors.length).toBeGreaterThan(10);
});

test("an answer to HEAD has neither a body nor an encoding", async () => {
  const response = await ask(GZIP, "HEAD");
  expect(response.statusCode).toBe(200);
  expect(response.headers).not.toHaveProperty("content-encoding");
  expect(await bytesOf(response)).toHaveLength(0);
});

describe("a stream", () => {
  const ROW = Buffer.from(`{"id":"${"a row ".repeat(1_000)}"},`);

  test("arrives while it is made", async () => {
    const first = Promise.withResolvers<void>();
    async function* rows() {
      for (let sent = 0; sent < 1_000; sent += 1) yield ROW;
      await first.promise;
      yield Buffer.from("end");
    }
    json = rows();
    const response = await ask(GZIP);
    const parts: Buffer[] = [];
    for await (const part of response as AsyncIterable<Buffer>) {
      parts.push(part);
      first.resolve();
    }
    expect(gunzipSync(Buffer.concat(parts)).length).toBe(1_000 * ROW.length + 3);
  });

  test.each([
    ["compressed", GZIP],
    ["plain", {}],
  ])("that fails is cut short: %s", async (_, headers) => {
    logged.length = 0;
    async function* rows() {
      for (let sent = 0; sent < 100; sent += 1) yield ROW;
      throw new Error("The table is gone");
    }
    json = rows();
    const response = await ask(headers);
    expect(response.statusCode).toBe(200);
    await expect(bytesOf(response)).rejects.toThrow("aborted");
    expect(response.complete).toBe(false);
    expect(logged).toEqual(["A response was cut short"]);
  });

  test.each([
    ["compressed", GZIP],
    ["plain", {}],
  ])("that nobody reads any more ends: %s", async (_, headers) => {
    const ended = Promise.withResolvers<void>();
    async function* rows() {
      try {
        for (;;) yield ROW;
      } finally {
        ended.resolve();
      }
    }
    json = rows();
    logged.length = 0;
    const response = await ask(headers);
    response.destroy();
    await ended.promise;
    expect(logged).toEqual([]);
  });
});
