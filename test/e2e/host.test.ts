import { rm, writeFile } from "node:fs/promises";
import { networkInterfaces } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { newFolder } from "../new-folder.ts";
import { CommandLine } from "./command-line.ts";
import { send } from "./send.ts";

let data: string;
const commands = new CommandLine();
beforeAll(async () => {
  data = await newFolder();
});
afterAll(async () => {
  await commands.close();
});

const anAddress = Object.values(networkInterfaces())
  .flat()
  .find((one) => one?.family === "IPv4" && !one.internal)?.address;

test("a service on all addresses says that it has no TLS, and answers under its names alone", async () => {
  const config = `${data}.json`;
  await writeFile(config, JSON.stringify({ data, host: "0.0.0.0", name: ["gleaner.example"] }));
  const { child, url } = await commands.start("--config", config);
  await rm(config);
  while (!child.output.stderr.includes("has no TLS")) await new Promise((resolve) => setTimeout(resolve, 20));
  const { port } = new URL(url);
  const statusOf = async (host: string) => {
    const asked = { method: "GET", path: "/v1/runs", headers: { host } };
    return (await send(`http://127.0.0.1:${port}`, asked)).status;
  };
  expect(await statusOf("gleaner.example")).toBe(401);
  expect(await statusOf(`${anAddress ?? "127.0.0.1"}:${port}`)).toBe(401);
  expect(await statusOf("other.example")).toBe(421);
});

test("an address that this machine doesn't have is refused in one line", async () => {
  const args = ["start", "--data", `${data}-other`, "--port", "0", "--host", "192.0.2.1"];
  const { code, stderr } = await commands.gleaner(...args).finished;
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: "--host 192.0.2.1 is not an address of this machine.\n",
  });
});

(process.getuid?.() === 0 ? test : test.skip)(
  "a service whose browser has no sandbox says so, in one line",
  async () => {
    const { child } = await commands.start("--data", join(data, "other"));
    const isWarning = (line: string) => line.startsWith("Warning: Chromium runs without its sandbox");
    while (!child.output.stderr.split("\n").some(isWarning))
      await new Promise((resolve) => setTimeout(resolve, 20));
    expect(child.output.stderr.split("\n").filter(isWarning)).toEqual([
      expect.stringMatching(/because the service runs as root\. .*docs\/hosting\.md/),
    ]);
  },
);
