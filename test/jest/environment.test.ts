import { readFile } from "node:fs/promises";
import { expect, jest, test } from "@jest/globals";
import Environment from "./environment.ts";

type Config = ConstructorParameters<typeof Environment>[0];
const config = { projectConfig: { fakeTimers: {}, rootDir: "/" } } as Config;

test("what one test file sets is not there for the next", async () => {
  const { fetch, setTimeout } = globalThis;
  const path = process.env.PATH;
  const file = new Environment(config);
  await file.setup();
  process.env.PATH = "/nowhere";
  process.env.GLEANER_PLANTED = "1";
  globalThis.fetch = async () => Response.error();
  const log = file.jest.spyOn(console, "log").mockReturnValue();
  file.jest.useFakeTimers();
  await file.teardown();
  expect(process.env).toMatchObject({ PATH: path });
  expect(process.env).not.toHaveProperty("GLEANER_PLANTED");
  expect(globalThis).toMatchObject({ fetch, setTimeout });
  expect(console.log).not.toBe(log);
});

test("Node.js works while a test holds the clock", async () => {
  jest.useFakeTimers({ now: 0 });
  try {
    expect(await readFile(import.meta.filename, "utf8")).toContain("holds the clock");
    expect(await Response.json({ a: 1 }).json()).toEqual({ a: 1 });
    expect(Date.now()).toBe(0);
  } finally {
    jest.useRealTimers();
  }
});
