import { execFile } from "node:child_process";
import { statfs, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import type { Run } from "../../functions/contract/runs/run.ts";
import { RUN_TIMING } from "../../functions/run-timing.ts";
import { newFolder } from "../new-folder.ts";
import { type OwnWorld, startWorld } from "./harness.ts";

const run = promisify(execFile);
const MB = 1024 * 1024;

/* The service on a disk of 8 MB, which is a file system in memory. Mounting it needs root on Linux. */

const folder = await newFolder();
const isMounted = await run("mount", ["-t", "tmpfs", "-o", "size=8m", "tmpfs", folder]).then(
  () => true,
  () => false,
);
const onSmallDisk = isMounted ? test : test.skip;
let world: OwnWorld;
beforeAll(async () => {
  // What waits for the sweep waits for a minute by default.
  const timing = { ...RUN_TIMING, overdueMs: 2_000 };
  if (isMounted) world = await startWorld({ data: join(folder, "data"), timing });
});
afterAll(async () => {
  await world?.stop();
  if (isMounted) await run("umount", [folder]);
});

/** Takes all the space that is left. */
async function fill(): Promise<void> {
  for (const size of [MB, 64 * 1024, 4096]) {
    for (let part = 0; ; part += 1) {
      const { bavail, bsize } = await statfs(folder);
      if (bavail * bsize < size) break;
      const isWritten = await writeFile(join(folder, `filler ${size} ${part}`), Buffer.alloc(size)).then(
        () => true,
        (error: NodeJS.ErrnoException) => {
          // The service has taken the rest meanwhile.
          if (error.code !== "ENOSPC") throw error;
          return false;
        },
      );
      if (!isWritten) break;
    }
  }
}

const free = async () => {
  await run("find", [folder, "-maxdepth", "1", "-name", "filler *", "-delete"]);
};

onSmallDisk(
  "a full disk is told to clients and in the log; runs wait; afterwards all is well",
  async () => {
    const steps = [
      { type: "visit", url: world.shopUrl },
      { type: "get_list", selector: "h1", fields: [{ name: "title" }] },
    ];
    const { id: scraper_id } = await world.putScraper({ name: "Shop", steps });
    const before = await world.post<Run>("/v1/runs", { scraper_id });
    expect(before.status).toBe(201);
    await fill();

    // SQLite may still have room in the files that it has.
    let refused = await world.post("/v1/runs", { scraper_id });
    while (refused.status === 201) refused = await world.post("/v1/runs", { scraper_id });
    expect(refused).toMatchObject({
      status: 503,
      body: { message: "The service can't store anything at the moment. Try again later." },
    });
    expect(refused.headers.get("retry-after")).toBe("30");
    for (const route of ["/v1/account", "/v1/runs", `/v1/runs/${before.body.id}`, "/v1/scrapers"])
      expect(await world.call(route)).toMatchObject({ status: 200 });
    expect(world.logged.join("\n")).toMatch(/ERROR.*Request failed.*can't be used: .*full/);

    await free();
    let again = await world.post<Run>("/v1/runs", { scraper_id });
    while (again.status !== 201) {
      await sleep(200);
      again = await world.post<Run>("/v1/runs", { scraper_id });
    }
    expect(await world.finished(again.body.id)).toMatchObject({ status: "successful" });
    expect(await world.finished(before.body.id)).toMatchObject({ status: "successful" });
  },
  180_000,
);
