import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, expect, jest, test } from "@jest/globals";
import { browser } from "../../../local/commands/doctor/machine.ts";
import packageJson from "../../../package.json" with { type: "json" };
import { newFolder } from "../../new-folder.ts";

const cache = process.env.XDG_CACHE_HOME;
afterEach(() => {
  if (cache === undefined) delete process.env.XDG_CACHE_HOME;
  else process.env.XDG_CACHE_HOME = cache;
  jest.restoreAllMocks();
});

test("the doctor repeats what a browser that does not start has said, and knows what helps", async () => {
  process.env.XDG_CACHE_HOME = await newFolder();
  const folder = join(
    process.env.XDG_CACHE_HOME,
    "gleaner",
    `chromium-${packageJson.dependencies["@sparticuz/chromium"]}`,
  );
  await mkdir(folder, { recursive: true });
  const said = "error while loading shared libraries: libnspr4.so: cannot open shared object file";
  await writeFile(join(folder, "chromium"), `#!/bin/sh\necho '${said}' >&2\nexit 127\n`, { mode: 0o755 });

  const { message, advice, state } = await browser();
  expect([state, message]).toEqual(["problem", expect.stringMatching(`started.* It said: ${said}$`)]);
  expect(advice).toContain("Install the libraries");

  jest.spyOn(process.report, "getReport").mockReturnValue({ header: {} });
  expect((await browser()).advice).toContain("docs/hosting.md#in-a-container");
});
