import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { createApiKey } from "../../../functions/accounts/create-key.ts";
import { createAccount } from "../../../functions/store/accounts.ts";
import { SecretsFolder } from "../../../local/secrets/secrets-folder.ts";
import { startWorld, type World } from "../harness.ts";

/* The routes of the console on one machine that set secrets. */

let world: World;
let otherKey: string;
const { GLEANER_SECRETS_KEY = "" } = process.env;
beforeAll(async () => {
  process.env.GLEANER_SECRETS_KEY = Buffer.alloc(32, 7).toString("base64");
  world = await startWorld();
  const now = new Date();
  otherKey = await world.withTable(async (table) => {
    await createAccount(table, {
      name: "other",
      credit_limit: null,
      rate_limit: null,
      created_at: now.toISOString(),
    });
    return (await createApiKey(table, "other", now)).key;
  });
});
afterAll(async () => {
  process.env.GLEANER_SECRETS_KEY = GLEANER_SECRETS_KEY;
  await world.stop();
});

async function call(method: string, path = "", body?: object, key = world.service.credentials.api_key) {
  const response = await fetch(`${world.service.url}/local/secrets${path}`, {
    method,
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    ...(body && { body: JSON.stringify(body) }),
  });
  return { status: response.status, text: await response.text() };
}

/** A stored secret of the account "default". */
const storedSecret = (name: string) => new SecretsFolder(join(world.data, "secrets")).get("default", name);

test("no response has a value, and each account has its own secrets", async () => {
  const value = "correct horse";
  const set = await call("PUT", "/shop", { value, hosts: ["shop.example"] });
  expect(set).toEqual({ status: 204, text: "" });
  expect(await storedSecret("shop")).toMatchObject({ value, hosts: ["shop.example"] });
  const listed = await call("GET");
  expect(JSON.parse(listed.text)).toEqual([
    { name: "shop", hosts: ["shop.example"], set_at: expect.stringMatching(/Z$/) },
  ]);

  expect(await call("GET", "", undefined, otherKey)).toEqual({ status: 200, text: "[]" });
  expect((await call("DELETE", "/shop", undefined, otherKey)).status).toBe(404);
  expect((await call("GET", "", undefined, "glr_nothing")).status).toBe(401);
  expect((await call("GET", "/shop")).status).toBe(404);
  expect(await storedSecret("shop")).toMatchObject({ value });

  expect(await call("DELETE", "/shop")).toEqual({ status: 204, text: "" });
  expect((await call("GET")).text).toBe("[]");
});

describe("a secret that is not valid is not stored", () => {
  test.each([
    ["/no%20name", { value: "long enough", hosts: [] }, "name"],
    ["/short", { value: "abc", hosts: [] }, "value"],
    ["/hosts", { value: "long enough", hosts: ["shop.example/path"] }, "hosts"],
    ["/text", "text", ""],
  ])("%s", async (path, body, problem) => {
    const { status, text } = await call("PUT", path, body as object);
    expect(status).toBe(400);
    expect(JSON.parse(text).errors[0]?.path ?? "").toContain(problem);
    expect((await call("GET")).text).toBe("[]");
  });
});

test("the hosts can't be changed without the value", async () => {
  await call("PUT", "/shop", { value: "correct horse", hosts: ["shop.example"] });
  expect((await call("PUT", "/shop", { hosts: ["elsewhere.example"] })).status).toBe(400);
  expect(await storedSecret("shop")).toMatchObject({ hosts: ["shop.example"] });
});
