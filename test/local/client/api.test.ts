import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { Api } from "../../../local/client/api.ts";
import type { CommandError } from "../../../local/command-error.ts";

type Answer = (response: ServerResponse, request: IncomingMessage) => void;

let server: Server;
let api: Api;
/** One for each request; the last one for all that follow. */
let answers: Answer[] = [];
const requests: IncomingMessage[] = [];

beforeAll(async () => {
  server = createServer((request, response) => {
    requests.push(request);
    const [answer] = answers.length > 1 ? answers.splice(0, 1) : answers;
    answer?.(response, request);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  api = new Api({ url, key: "glr_key", from: "--url" });
});
afterAll(() => {
  server.close();
  server.closeAllConnections();
});

const json =
  (status: number, body: unknown, headers: Record<string, string> = {}): Answer =>
  (response) =>
    void response
      .writeHead(status, { "content-type": "application/json", ...headers })
      .end(JSON.stringify(body));
const hangUp: Answer = (response) => void response.destroy();

const problem = (path = "/v1/runs/1"): Promise<CommandError> =>
  api.get(path).then(
    () => Promise.reject(new Error("There was no error.")),
    (error) => error,
  );

test.each([
  [400, 1],
  [401, 3],
  [403, 6],
  [404, 4],
  [409, 1],
  [412, 1],
  [429, 6],
  [500, 1],
  [503, 5],
])("an answer with %i makes the exit code %i", async (status, exitCode) => {
  answers = [json(status, { message: "Because." })];
  expect((await problem()).exitCode).toBe(exitCode);
});

test.each(["www-authenticate", "x-amzn-remapped-www-authenticate"])(
  "a key whose scope does not permit the request is refused, not limited (%s)",
  async (name) => {
    const headers = { [name]: 'Bearer error="insufficient_scope", scope="run"' };
    answers = [json(403, { message: 'This request needs "run".' }, headers)];
    expect(await problem()).toMatchObject({ exitCode: 3, message: 'This request needs "run".' });
  },
);

test("a refused key is told why", async () => {
  answers = [json(401, { message: "The API key expired at noon." })];
  expect((await problem()).message).toContain("The API key expired at noon.");
});

test("each problem of a request is told, and where ids are listed", async () => {
  answers = [
    json(400, {
      message: "Not valid",
      errors: [
        { path: "steps[0].url", message: "is required" },
        { path: "", message: "is too large" },
      ],
    }),
  ];
  const { message } = await problem();
  expect(message).toContain("steps[0].url: is required");
  expect(message).toContain("the whole document: is too large");
  answers = [json(404, { message: "There is no run with this id." })];
  expect((await problem()).message).toContain("npx gleaner run list");
});

test("what is not Gleaner's API is not taken for it, and gets the key once", async () => {
  const elsewhere = (response: ServerResponse) =>
    void response.writeHead(302, { location: "/elsewhere" }).end();
  const page = (response: ServerResponse) =>
    void response.writeHead(200, { "content-type": "text/html" }).end("<h1>It works!</h1>");
  for (const [answer, reason] of [
    [elsewhere, "(302) is not from Gleaner's API"],
    [page, "is not JSON"],
  ] as const) {
    requests.length = 0;
    answers = [answer];
    expect(await problem()).toMatchObject({ exitCode: 5, message: expect.stringContaining(reason) });
    expect(requests).toHaveLength(1);
  }
});

test("waits as long as the service asks for", async () => {
  requests.length = 0;
  answers = [
    json(429, { message: "Slow" }, { "retry-after": "0" }),
    json(503, { message: "Busy" }, { "retry-after": "0" }),
    json(200, { id: "1" }),
  ];
  expect(await api.get("/v1/runs/1")).toEqual({ id: "1" });
  expect(requests).toHaveLength(3);
  answers = [json(429, { message: "Slow" }, { "retry-after": "3600" })];
  expect(await problem()).toMatchObject({ exitCode: 6, message: "Slow" });
});

test("repeats a request whose answer is lost, if that starts nothing twice", async () => {
  requests.length = 0;
  answers = [hangUp, json(201, { id: "1" })];
  const headers = { "idempotency-key": "once" };
  await api.json("/v1/runs", { method: "POST", body: {}, headers });
  expect(requests.map((request) => request.headers["idempotency-key"])).toEqual(["once", "once"]);

  requests.length = 0;
  answers = [hangUp];
  const stop = api.json("/v1/things", { method: "POST" });
  await expect(stop).rejects.toMatchObject({ exitCode: 5, message: expect.stringContaining("closed") });
  expect(requests).toHaveLength(1);
});

test("says that nothing listens", async () => {
  const free = createServer().listen(0, "127.0.0.1");
  await once(free, "listening");
  const { port } = free.address() as AddressInfo;
  free.close();
  await once(free, "close");
  const nowhere = new Api({ url: `http://127.0.0.1:${port}`, key: "glr_key", from: "--url" });
  await expect(nowhere.get("/v1/runs")).rejects.toMatchObject({
    exitCode: 5,
    message: expect.stringContaining("nothing listens there"),
  });
});
