import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, jest, test } from "@jest/globals";
import { Api } from "../../local/client/api.ts";
import { watchRun } from "../../local/commands/run/watch.ts";

afterEach(() => {
  jest.restoreAllMocks();
  process.exitCode = 0;
});

const run = {
  id: "1",
  status: "running",
  steps: [{ id: "open", type: "visit", url: "https://example.org/" }],
  created_at: "2030-01-01T00:00:00.000Z",
  started_at: null,
  finished_at: null,
  stopping: false,
  progress: null,
  row_count: 0,
  credits_used: 0,
  error: null,
  warnings: [],
};

test("a run is watched on when its service comes back", async () => {
  let answer: object = run;
  const serve = () =>
    createServer((request, response) => {
      const isLog = request.url?.includes("/log");
      response.setHeader("connection", "close");
      response.end(JSON.stringify(isLog ? { next: 0, finished: false, data: [] } : answer));
    });
  const first = serve().listen(0, "127.0.0.1");
  await once(first, "listening");
  const { port } = first.address() as AddressInfo;
  let second: ReturnType<typeof serve> | undefined;
  let said = "";
  jest.spyOn(process.stderr, "write").mockImplementation((text) => {
    said += text;
    if (said.includes("waiting for a free browser")) first.close();
    if (said.includes("does not answer") && second === undefined) {
      answer = { ...run, status: "successful", finished_at: "2030-01-01T00:00:02.000Z" };
      second = serve().listen(port, "127.0.0.1");
    }
    return true;
  });
  const log = jest.spyOn(console, "log").mockImplementation(() => {});
  jest.spyOn(console, "error").mockImplementation(() => {});
  await watchRun(new Api({ url: `http://127.0.0.1:${port}`, key: "glr_key", from: "--url" }), "1", {});
  expect(log).toHaveBeenCalledWith("Successful: 0 rows for 0 credits in 2.0 s");
  second?.close();
});
