import { once } from "node:events";
import { mkdir, mkdtemp, readdir, readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test } from "@jest/globals";
import { pull } from "../../local/commands/scraper/pull.ts";
import { newFolder } from "../new-folder.ts";

/* A service that chooses the names and ids of its scrapers so that they lead out of the folder. */

const root = await newFolder();
let data: object[] = [];
const server = createServer((_, response) => void response.end(JSON.stringify({ data, next_page: null })));
const keyBefore = process.env.GLEANER_KEY;
beforeAll(async () => {
  await once(server.listen(0, "127.0.0.1"), "listening");
  process.env.GLEANER_KEY = "glr_key";
});
afterAll(async () => {
  server.close();
  if (keyBefore === undefined) delete process.env.GLEANER_KEY;
  else process.env.GLEANER_KEY = keyBefore;
});

let dir: string;
beforeEach(async () => {
  dir = join(await mkdtemp(join(root, "case-")), "inner", "scrapers");
  await mkdir(dir, { recursive: true });
});

const pulled = () =>
  pull([], { dir, json: true, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
const scraper = (id: string, name: string) => ({ id, name, version: 1, steps: [] });

test("names and ids of a service lead to no file outside of the folder", async () => {
  data = ["first", "/../../x", "one/../../../../y", "..\\..\\z", ".."].map((id) => scraper(id, "../../Same"));
  await pulled();
  expect(await readdir(join(dir, "..", ".."), { recursive: true })).toHaveLength(7);
  const names = ["same-.json", "same-x.json", "same-y.json", "same-z.json", "same.json"];
  expect((await readdir(dir)).sort()).toEqual(names);
});

test("a new scraper replaces no other file", async () => {
  await writeFile(join(dir, "same.json"), "{}");
  await writeFile(join(dir, "same-01234567.json"), "mine");
  data = [scraper("a-01234567", "Same"), scraper("b-01234567", "Same")];
  await expect(pulled()).rejects.toThrow("same-01234567.json is the file of another scraper. Move it");
  expect(await readFile(join(dir, "same-01234567.json"), "utf8")).toBe("mine");
});
