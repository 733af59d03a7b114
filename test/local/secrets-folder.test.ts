import { randomBytes } from "node:crypto";
import { readdir, readFile, rename, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { secretReader } from "../../local/secrets/secret-reader.ts";
import { SecretsFolder } from "../../local/secrets/secrets-folder.ts";
import { secretsKey } from "../../local/secrets/secrets-key.ts";
import { newFolder } from "../new-folder.ts";

let path: string;
const key = randomBytes(32);
const now = new Date("2030-01-01T00:00:00.000Z");
const secret = { value: "hunter2-hunter2", hosts: ["shop.example"] };
const environment = { ...process.env };

beforeEach(async () => {
  path = await newFolder();
});
afterEach(async () => {
  process.env = { ...environment };
});

const open = (secretKey = key) => new SecretsFolder(join(path, "secrets"), async () => secretKey);

/** The files of the folder, with their paths. */
const filesOf = async () =>
  (await readdir(path, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();

test("keeps secrets by account and name, whatever their case", async () => {
  const folder = open();
  await folder.put("acme", "key", secret, now);
  await folder.put("acme", "KEY", { value: "other value", hosts: [] }, now);
  await folder.put("default", "key", { value: "third value", hosts: [] }, now);

  expect(await folder.list("acme")).toEqual([
    { name: "key", hosts: ["shop.example"], set_at: now.toISOString() },
    { name: "KEY", hosts: [], set_at: now.toISOString() },
  ]);
  const read = await secretReader(folder)("acme", ["key", "KEY", "none"]);
  expect([...read].map(([name, { value, hosts }]) => ({ name, value, hosts }))).toEqual([
    { name: "key", ...secret },
    { name: "KEY", value: "other value", hosts: [] },
  ]);

  await folder.put("acme", "key", { value: "changed value", hosts: [] }, now);
  expect((await folder.get("acme", "key"))?.value).toBe("changed value");
  expect(await folder.remove("acme", "key")).toBe(true);
  expect(await folder.remove("acme", "key")).toBe(false);
  expect(await folder.list("nobody")).toEqual([]);
});

test("writes no value to the disk, and lets nobody else read", async () => {
  await open().put("acme", "key", secret, now);
  const files = await filesOf();
  expect(files).toHaveLength(1);
  for (const file of files) {
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    const text = await readFile(file, "utf8");
    for (const plain of [secret.value, Buffer.from(secret.value).toString("base64"), "shop.example"])
      expect(text).not.toContain(plain);
    expect(text).toContain('"key"');
  }
});

test("another key, a changed file and one put in another's place say so, and fail a run for good", async () => {
  await open().put("acme", "key", secret, now);
  const problem = /"key" of the account "acme" can't be decrypted: it was set with another key/;
  await expect(open(randomBytes(32)).get("acme", "key")).rejects.toThrow(problem);
  await expect(secretReader(open(randomBytes(32)))("acme", ["key"])).rejects.toMatchObject({
    name: "RunFailure",
    code: "secret_unavailable",
  });

  const [file = ""] = await filesOf();
  const text = await readFile(file, "utf8");
  await writeFile(file, text.replace("2030", "2031"));
  await expect(open().get("acme", "key")).rejects.toThrow(problem);
  await writeFile(file, text);
  expect(await open().get("acme", "key")).toMatchObject(secret);

  await open().put("acme", "password", { value: "other value", hosts: [] }, now);
  const other = (await filesOf()).find((one) => one !== file) ?? "";
  await rename(file, other);
  await expect(open().get("acme", "password")).rejects.toThrow(/"password" .* can't be decrypted/);
});

test("the key is made once, outside of the folder, for this user alone", async () => {
  delete process.env.GLEANER_SECRETS_KEY;
  process.env.XDG_CONFIG_HOME = join(path, "config");
  const keys = await Promise.all([secretsKey(), secretsKey(), secretsKey()]);
  expect(new Set(keys.map((one) => one.toString("hex"))).size).toBe(1);
  expect(await secretsKey()).toEqual(keys[0]);
  const file = join(path, "config", "gleaner", "secrets.key");
  expect(await filesOf()).toEqual([file]);
  expect((await stat(file)).mode & 0o777).toBe(0o600);

  await writeFile(file, "short");
  await expect(secretsKey()).rejects.toThrow(/secrets\.key must contain 32 bytes in Base64/);
  process.env.GLEANER_SECRETS_KEY = key.toString("base64");
  expect(await secretsKey()).toEqual(key);
  process.env.GLEANER_SECRETS_KEY = "nonsense";
  await expect(secretsKey()).rejects.toThrow(/GLEANER_SECRETS_KEY must contain/);
  await expect(secretsKey()).rejects.not.toThrow(/nonsense/);
});
