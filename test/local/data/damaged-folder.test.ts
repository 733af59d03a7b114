import { cp, mkdir, readFile, rm, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, jest, test } from "@jest/globals";
import { apiKeyId, newApiKey } from "../../../functions/accounts/api-key-format.ts";
import { revokeApiKey } from "../../../functions/store/api-keys.ts";
import { dataFolder } from "../../../local/commands/doctor/machine.ts";
import { withService } from "../../../local/connect.ts";
import { DataFolder } from "../../../local/data/data-folder.ts";
import { describeProblem } from "../../../local/describe-problem.ts";
import { startService } from "../../../local/service.ts";
import { newFolder } from "../../new-folder.ts";
import { putScraper } from "../../put-scraper.ts";

/* Data folders with damaged files: the start is refused in one line, which names the file and the way out. */

const root = await newFolder();

/** Longer than two pages of the file, so that some pages hold nothing else. */
const FILLING = "x".repeat(10_000);
const PAGE = 4096;
const log = { info: jest.fn(), error: jest.fn() };
const start = (data: string) => startService({ port: 0, data, allowHosts: [], log });

// A folder whose service stopped cleanly, with scrapers on many pages of the file.
const sound = join(root, "sound");
const first = await start(sound);
await withService({ data: sound }, async (stored) => {
  for (let scraper = 0; scraper < 40; scraper += 1) {
    const steps = [
      { type: "visit", url: "https://shop.example/" },
      { type: "write_input", field_name: "Search", value: FILLING },
    ];
    await putScraper(stored, "default", { name: `Scraper ${scraper}`, steps }, new Date());
  }
});
await first.stop();

let data: string;
let table: string;
let folders = 0;
beforeEach(async () => {
  folders += 1;
  data = join(root, `data-${folders}`);
  await cp(sound, data, { recursive: true });
  table = new DataFolder(data).tablePath;
});
afterEach(() => void jest.resetAllMocks());

/** The text with which a start is refused. */
async function refusal(): Promise<string> {
  try {
    const service = await start(data);
    await service.stop();
  } catch (error) {
    return describeProblem(error);
  }
  throw new Error("The service started.");
}

/** Flips all bits of the pages that hold nothing but parts of scrapers. No start reads them. */
async function flip(): Promise<void> {
  const bytes = await readFile(table);
  for (let page = 0; page < bytes.length; page += PAGE) {
    const content = bytes.subarray(page, page + PAGE);
    if (content.includes(FILLING.slice(0, PAGE - 10)))
      bytes.set(
        content.map((byte) => 0xff - byte),
        page,
      );
  }
  await writeFile(table, bytes);
}

/** What a service leaves behind that did not stop cleanly. */
const kill = () => new DataFolder(data).writeService({ url: "http://127.0.0.1:4000", pid: 1 });

const RESTORE = /Restore (it|the table) from a backup\..+ or choose another one with --data\.$/;

test.each<[string, () => Promise<unknown>, string]>([
  ["is no SQLite file", () => writeFile(table, "hello ".repeat(2_000)), "is damaged: file is not a database"],
  ["is truncated", () => truncate(table, 9_000), "is damaged: database disk image is malformed"],
  ["is empty", () => truncate(table, 0), "is empty, but "],
  ["is missing", () => rm(table), "is missing, but "],
  ["has flipped bytes since a crash", () => flip().then(kill), "is damaged: "],
])("a table that %s is refused", async (_, damage, reason) => {
  await damage();
  const text = await refusal();
  expect(text.startsWith(`${table} ${reason}`)).toBe(true);
  expect(text).toMatch(RESTORE);
  expect(text).not.toContain("\n");
  expect(await refusal()).toBe(text);
  expect(await dataFolder(data).catch((error) => ({ message: describeProblem(error) }))).toMatchObject({
    message: text,
  });
});

test("a table that an early version stored in a folder is refused, too", async () => {
  await rm(table);
  await mkdir(join(data, "table"));
  await writeFile(join(data, "table", "CURRENT"), "MANIFEST-000002\n");
  expect(await refusal()).toMatch(
    /if a version from before the first release wrote the folder, move the folder away/,
  );
});

test("a table that is a folder is refused", async () => {
  await rm(table);
  await mkdir(table);
  expect(await refusal()).toBe(
    `${table} can't be used: unable to open database file. Make sure that it is a file, and that you can write to it and to its folder.`,
  );
});

test("damage that a service finds stops it from using the table, and the next start is refused", async () => {
  await flip();
  const service = await start(data);
  const headers = { authorization: `Bearer ${service.credentials.api_key}` };
  const status = async (route: string) => (await fetch(`${service.url}/v1/${route}`, { headers })).status;
  expect(await status("health")).toBe(200);
  expect(await status("scrapers")).toBe(503);
  const damage = expect.objectContaining({
    message: expect.stringMatching(/^\S+table\.sqlite is damaged: .+ Restore it/),
  });
  expect(log.error).toHaveBeenCalledWith("Request failed", expect.objectContaining({ error: damage }));
  expect(await status("health")).toBe(503);
  expect(await status("runs")).toBe(503);
  await service.stop();
  expect(await refusal()).toMatch(RESTORE);
});

test("the table is checked only if the last service did not stop cleanly", async () => {
  const check = "The last service did not stop cleanly, so its table is checked";
  await (await start(data)).stop();
  expect(log.info).not.toHaveBeenCalledWith(check, expect.anything());
  await kill();
  await (await start(data)).stop();
  expect(log.info).toHaveBeenCalledWith(check, { path: table });
});

test.each(["of another folder", "that was revoked"])(
  "the start says that the key is one %s",
  async (which) => {
    const folder = new DataFolder(data);
    if (which === "that was revoked") {
      const service = await start(data);
      await withService({ data }, (stored) =>
        revokeApiKey(stored, apiKeyId(service.credentials.api_key) ?? "", new Date()),
      );
      await service.stop();
    } else {
      await folder.writeCredentials({ account: "default", api_key: newApiKey().key });
    }
    const service = await start(data);
    expect(service).toMatchObject({ isNew: false, isKeyValid: false });
    await service.stop();
    // As the message of the start advises.
    await rm(folder.credentialsPath);
    const again = await start(data);
    expect(again).toMatchObject({ isNew: true, isKeyValid: true });
    const headers = { authorization: `Bearer ${again.credentials.api_key}` };
    const listed = (await (await fetch(`${again.url}/v1/scrapers`, { headers })).json()) as {
      data: unknown[];
    };
    expect(listed.data).toHaveLength(40);
    await again.stop();
  },
);
