import { chmod, stat } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { apiError } from "../../../local/client/api-error.ts";
import { profilesPath, removeProfile, saveProfile } from "../../../local/client/profiles.ts";
import { baseUrl, findTarget } from "../../../local/client/target.ts";
import { DataFolder } from "../../../local/data/data-folder.ts";
import { newFolder } from "../../new-folder.ts";

let root: string;
const before = { ...process.env };
beforeEach(async () => {
  root = await newFolder();
  process.env.XDG_CONFIG_HOME = join(root, "config");
  delete process.env.GLEANER_KEY;
  delete process.env.GLEANER_URL;
});
afterEach(async () => {
  process.env = { ...before };
});

/** The data folder of a service that runs in this process. */
async function running(name: string, url: string) {
  const folder = new DataFolder(join(root, name));
  const lock = await folder.lock();
  await folder.writeCredentials({ account: "default", api_key: "glr_local" });
  await folder.writeService({ url, pid: process.pid });
  return { data: folder.path, stop: () => lock.release() };
}

test("an option wins over the environment, the environment over a profile, and a profile over the local service", async () => {
  const local = await running("data", "http://127.0.0.1:4000");
  await saveProfile("default", { url: "https://a.example", api_key: "glr_a" });
  await saveProfile("work", { url: "https://b.example", api_key: "glr_b" });
  expect(await findTarget({})).toMatchObject({ url: "https://a.example", key: "glr_a" });
  process.env.GLEANER_URL = "https://c.example/v1/";
  await expect(findTarget({})).rejects.toMatchObject({ exitCode: 3 });
  process.env.GLEANER_KEY = "glr_c";
  expect(await findTarget({})).toMatchObject({ url: "https://c.example", key: "glr_c" });
  delete process.env.GLEANER_KEY;
  expect(await findTarget({ profile: "work" })).toMatchObject({ url: "https://b.example", key: "glr_b" });
  expect(await findTarget({ url: "https://b.example/" })).toMatchObject({ key: "glr_b" });
  expect(await findTarget({ data: local.data })).toMatchObject({
    url: "http://127.0.0.1:4000",
    key: "glr_local",
  });
  await expect(findTarget({ data: local.data, profile: "work" })).rejects.toMatchObject({ exitCode: 2 });
  await expect(findTarget({ profile: "home" })).rejects.toMatchObject({
    exitCode: 3,
    message: expect.stringContaining("only default, work"),
  });
  await local.stop();
});

test("a key in the environment wins over the default profile and a data folder, but not over a profile that is named", async () => {
  const local = await running("data", "http://127.0.0.1:4000");
  await saveProfile("default", { url: "https://a.example", api_key: "glr_a" });
  await saveProfile("work", { url: "https://b.example", api_key: "glr_b" });
  process.env.GLEANER_KEY = "glr_c";
  expect(await findTarget({})).toMatchObject({ url: "https://a.example", key: "glr_c" });
  expect(await findTarget({ data: local.data })).toMatchObject({ key: "glr_c" });
  for (const name of ["work", "default"]) {
    const target = await findTarget({ profile: name });
    expect(target).toMatchObject({ key: `glr_${name === "work" ? "b" : "a"}` });
    const refused = Response.json({ message: "No." }, { status: 401 });
    expect((await apiError(refused, target)).message).toContain(`the API key (profile "${name}")`);
  }
  await local.stop();
});

test("the address that a dead service has left gets no key", async () => {
  const { data, stop } = await running("data", "http://127.0.0.1:4000");
  await stop();
  await expect(findTarget({ data })).rejects.toMatchObject({
    exitCode: 5,
    message: expect.stringContaining("npx gleaner start"),
  });
});

test("a service on all addresses is reached on loopback", async () => {
  for (const [url, reached] of [
    ["http://0.0.0.0:4000", "http://127.0.0.1:4000"],
    ["http://[::]:4000", "http://[::1]:4000"],
  ] as const) {
    const { data, stop } = await running(`data-${reached.length}`, url);
    expect((await findTarget({ data })).url).toBe(reached);
    await stop();
  }
});

test("only their owner can read profiles", async () => {
  await saveProfile("default", { url: "https://a.example", api_key: "glr_a" });
  expect((await stat(profilesPath())).mode & 0o777).toBe(0o600);
  await chmod(profilesPath(), 0o644);
  await saveProfile("work", { url: "https://b.example", api_key: "glr_b" });
  expect((await stat(profilesPath())).mode & 0o777).toBe(0o600);
  expect(await removeProfile("default")).toBe(true);
  expect(await removeProfile("default")).toBe(false);
});

test.each([
  ["https://a.example", "https://a.example"],
  ["https://a.example/v1/runs?page=2", "https://a.example"],
  ["https://a.example/gleaner/v1/", "https://a.example/gleaner"],
  ["https://a.example/gleaner/", "https://a.example/gleaner"],
  [" http://localhost:4000/ ", "http://localhost:4000"],
])("the base URL of %j is %s", (text, base) => expect(baseUrl(text)).toBe(base));

test.each(["a.example", "localhost:4000", "ftp://a.example", "https://user:key@a.example", ""])(
  "%j is not a valid base URL",
  (text) => expect(() => baseUrl(text)).toThrow(/is not a valid base URL/),
);
