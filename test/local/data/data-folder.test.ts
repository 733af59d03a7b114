import { existsSync } from "node:fs";
import { chmod, mkdir, readdir, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, expect, test } from "@jest/globals";
import { DataFolder, UsageError } from "../../../local/data/data-folder.ts";
import { newFolder } from "../../new-folder.ts";

let root: string;
beforeEach(async () => {
  root = await newFolder();
});

const problem = (work: Promise<unknown>): Promise<UsageError> =>
  work.then(
    () => {
      throw new Error("There was no error.");
    },
    (error) => {
      expect(error).toBeInstanceOf(UsageError);
      return error;
    },
  );

test("a file is no data folder", async () => {
  const file = join(root, "file");
  await writeFile(file, "");
  for (const path of [file, join(file, "below")]) {
    const { message } = await problem(new DataFolder(path).lock());
    expect(message).toBe(
      `The data folder ${path} can't be used: a file has that name. Make sure that you can write to it and that the disk has space, or choose another folder with --data.`,
    );
  }
});

test("a folder that can't be locked is not said to be in use, and stays as it was", async () => {
  const folder = new DataFolder(root);
  await folder.writeService({ url: "http://127.0.0.1:4000", pid: 1 });
  await mkdir(join(root, "service.lock"));
  const { message } = await problem(folder.lock());
  expect(message).toMatch(/^The data folder \S+ can't be used: .+ choose another folder with --data\.$/);
  expect(message).not.toContain("in use");
  expect(await readdir(root)).toEqual(["service.json", "service.lock"]);
});

test("a folder that another process has locked names that process", async () => {
  const folder = new DataFolder(join(root, "new"));
  const lock = await folder.lock();
  const { message } = await problem(new DataFolder(folder.path).lock());
  expect(message).toContain(`The data folder ${folder.path} is in use.`);
  await folder.writeService({ url: "http://127.0.0.1:4000", pid: 42 });
  const { message: withService } = await problem(new DataFolder(folder.path).lock());
  expect(withService).toContain("is in use by the service at http://127.0.0.1:4000 (process 42).");
  await lock.release();
  await (await folder.lock()).release();
});

test("a start that fails removes the folder only if it is new", async () => {
  const before = await new DataFolder(root).lock();
  await before.remove();
  expect(existsSync(root)).toBe(true);

  const fresh = await new DataFolder(join(root, "a", "b")).lock();
  await fresh.remove();
  expect(existsSync(join(root, "a"))).toBe(false);
});

test("damaged files are named, with what to do", async () => {
  const folder = new DataFolder(root);
  expect(await folder.readCredentials()).toBeUndefined();
  for (const text of ["{", "{}", '{"account":"default"}']) {
    await writeFile(folder.credentialsPath, text);
    const { message } = await problem(folder.readCredentials());
    expect(message).toContain(folder.credentialsPath);
    expect(message).toContain("Restore it from a backup, or delete it");
  }
  await folder.writeCredentials({ account: "default", api_key: "key" });
  expect(await folder.readCredentials()).toEqual({ account: "default", api_key: "key" });
});

const onPosix = process.platform === "win32" ? test.skip : test;
const modeOf = async (path: string) => (await stat(path)).mode & 0o777;

onPosix("a data folder that others can read becomes private", async () => {
  const folder = new DataFolder(root);
  for (const files of [[], ["credentials.json", "table.sqlite"]]) {
    for (const file of files) await writeFile(join(root, file), "");
    await chmod(root, 0o755);
    const lock = await folder.lock();
    expect(await modeOf(root)).toBe(0o700);
    await lock.release();
    await rm(join(root, "service.lock"));
  }
});

onPosix("another folder that others can read is refused, and stays as it was", async () => {
  await writeFile(join(root, "letter.txt"), "");
  await chmod(root, 0o755);
  const { message } = await problem(new DataFolder(root).lock());
  expect(message).toContain(`chmod 700 ${root}`);
  expect(await modeOf(root)).toBe(0o755);
  expect(await readdir(root)).toEqual(["letter.txt"]);
});
