import { existsSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { beforeEach, expect, test } from "@jest/globals";
import { getRun } from "../../functions/store/runs/runs.ts";
import { withService } from "../../local/connect.ts";
import { UsageError } from "../../local/data/data-folder.ts";
import { startService } from "../../local/service.ts";
import { newFolder } from "../new-folder.ts";
import { putScraper } from "../put-scraper.ts";

let root: string;
beforeEach(async () => {
  root = await newFolder();
});

const log = { info() {}, error() {} };
const start = (options: { port?: number; allowHosts?: string[]; runDays?: number }) =>
  startService({ port: 0, allowHosts: [], ...options, data: join(root, "data"), log });

test("an allowed host without a port is refused before anything is created", async () => {
  for (const host of ["localhost", "http://localhost:4100", "localhost:4100/path", "localhost:99999"]) {
    const error = await start({ allowHosts: [host] }).catch((error) => error);
    expect(error).toBeInstanceOf(UsageError);
    expect(error.message).toBe(
      `--allow-host needs a host and a port, such as localhost:4100. It got "${host}".`,
    );
  }
  expect(existsSync(join(root, "data"))).toBe(false);
});

test("a start on a port that is taken leaves nothing behind", async () => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const error = await start({ port }).catch((error) => error);
  expect(error).toBeInstanceOf(UsageError);
  expect(error.message).toBe(
    `Port ${port} is in use by another program. Choose another one with --port, or 0 for any free one.`,
  );
  expect(existsSync(join(root, "data"))).toBe(false);
  server.close();
});

test.each([undefined, 30])("runs are kept for %s days", async (runDays) => {
  const service = await start(runDays === undefined ? {} : { runDays });
  try {
    const scraper = await withService({ data: join(root, "data") }, (table) =>
      putScraper(table, "default", definition, new Date()),
    );
    const response = await fetch(`${service.url}/v1/runs`, {
      method: "POST",
      headers: { authorization: `Bearer ${service.credentials.api_key}` },
      body: new URLSearchParams({ scraper_id: scraper.id }),
    });
    const { id, created_at } = (await response.json()) as { id: string; created_at: string };
    const run = await withService({ data: join(root, "data") }, (table) =>
      getRun(table, { account: "default", id }),
    );
    const kept = runDays === undefined ? undefined : runDays * 24 * 3600;
    expect(run?.expires_at).toBe(kept && Math.ceil(Date.parse(created_at) / 1000) + kept);
  } finally {
    await service.stop();
  }
});

const definition = { name: "Test", steps: [{ type: "visit", url: "http://127.0.0.1:80/" }] };
