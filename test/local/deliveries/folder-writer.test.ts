import { mkdir, readdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { expect, test } from "@jest/globals";
import type { NewFile } from "../../../functions/deliveries/destinations.ts";
import { folderWriter } from "../../../local/deliveries/folder-writer.ts";
import { newFolder } from "../../new-folder.ts";

const file = (path: string, more: Partial<NewFile> = {}): NewFile => ({
  path,
  contentType: "text/csv",
  content: Readable.from(["new"]),
  beforeEnd: async () => {},
  writer: "one",
  signal: new AbortController().signal,
  ...more,
});

test("a file takes the place of an earlier one only when it is complete", async () => {
  const root = await newFolder();
  const write = folderWriter(root);
  await write(file("a/rows.csv", { content: Readable.from(["old"]) }));
  let seen = "";
  const beforeEnd = async () => {
    seen = await readFile(join(root, "a/rows.csv"), "utf8");
  };
  await write(file("a/rows.csv", { beforeEnd }));
  expect([seen, await readFile(join(root, "a/rows.csv"), "utf8")]).toEqual(["old", "new"]);
});

test("what fails leaves the earlier file, and nothing else", async () => {
  const root = await newFolder();
  const write = folderWriter(root);
  await write(file("rows.csv", { content: Readable.from(["old"]) }));
  const failing = async function* () {
    yield "half";
    throw new Error("The table is down.");
  };
  await expect(write(file("rows.csv", { content: failing() }))).rejects.toThrow("The table is down.");
  expect(await readdir(root)).toEqual(["rows.csv"]);
  expect(await readFile(join(root, "rows.csv"), "utf8")).toBe("old");
});

test("what a killed attempt has left is overwritten", async () => {
  const root = await newFolder();
  await writeFile(join(root, ".gleaner-one.part"), "much longer than the new content");
  await folderWriter(root)(file("rows.csv"));
  expect(await readdir(root)).toEqual(["rows.csv"]);
  expect(await readFile(join(root, "rows.csv"), "utf8")).toBe("new");
});

test.each([
  ["a folder", "out/rows.csv", "leads out of the folder"],
  ["the unfinished file", "rows.csv", "symbolic link"],
])("a symbolic link in place of %s leads nowhere", async (_, path, message) => {
  const [root, outside] = [await newFolder(), await newFolder()];
  await symlink(outside, join(root, "out"));
  await symlink(join(outside, "stolen"), join(root, ".gleaner-one.part"));
  await expect(folderWriter(root)(file(path))).rejects.toThrow(message);
  expect(await readdir(outside)).toEqual([]);
});

test.each([
  ["a folder with the name of the file", "rows.csv", "there is a folder with this name"],
  ["a file with the name of a folder", "text/rows.csv", "a part of its path is a file"],
])("%s is named as the reason", async (_, path, message) => {
  const root = await newFolder();
  await mkdir(join(root, "rows.csv"));
  await writeFile(join(root, "text"), "");
  await expect(folderWriter(root)(file(path))).rejects.toThrow(message);
});

test("a folder that is gone is named as the reason", async () => {
  await expect(folderWriter("/nowhere/at/all")(file("rows.csv"))).rejects.toThrow("is missing");
});
