import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { startService } from "../../local/service.ts";

test("a table of an earlier version is not ignored: the start says how to move it, and changes nothing", async () => {
  const data = await mkdtemp(join(tmpdir(), "gleaner-old-"));
  await mkdir(join(data, "table"));
  await writeFile(join(data, "table", "CURRENT"), "MANIFEST-000002\n");
  const log = { info() {}, error() {} };
  for (let time = 0; time < 2; time += 1) {
    await expect(startService({ port: 0, data, allowHosts: [], log })).rejects.toMatchObject({
      name: "UsageError",
      message: expect.stringMatching(/earlier version\. Run `npm install --no-save classic-level@3\.0\.0`/),
    });
  }
  await rm(data, { recursive: true });
});
