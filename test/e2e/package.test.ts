import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { cp, mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "@jest/globals";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { startShop } from "../../examples/shop/server.ts";
import { PROJECT_FOLDER } from "../../lib/project-folder.ts";
import { newFolder } from "../new-folder.ts";

/* What `npm pack` makes, installed elsewhere with the dependencies that its manifest names and no others. */

const run = promisify(execFile);
const root = await newFolder();

const PARTS = [
  "bin",
  "local",
  "functions",
  "console",
  "docs",
  "examples",
  "package.json",
  "openapi.json",
  "README.md",
];

/** Packs a copy of the project: what packs it changes its manifest for a moment. */
async function packed(): Promise<string> {
  const copy = join(root, "project");
  for (const part of PARTS) await cp(join(PROJECT_FOLDER, part), join(copy, part), { recursive: true });
  await symlink(join(PROJECT_FOLDER, "node_modules"), join(copy, "node_modules"));
  const before = await readFile(join(copy, "package.json"), "utf8");
  await run("npm", ["pack", "--pack-destination", root], { cwd: copy });
  expect(await readFile(join(copy, "package.json"), "utf8")).toBe(before);
  const { version } = JSON.parse(before);
  return join(root, `gleaner-${version}.tgz`);
}

/** Installs a package without a registry. */
async function install(tarball: string): Promise<string> {
  const modules = join(root, "elsewhere", "node_modules");
  await mkdir(modules, { recursive: true });
  await run("tar", ["-xzf", tarball, "-C", modules]);
  const folder = join(modules, "gleaner");
  await cp(join(modules, "package"), folder, { recursive: true });
  const { bin, dependencies } = JSON.parse(await readFile(join(folder, "package.json"), "utf8"));
  for (const name of Object.keys(dependencies)) {
    await mkdir(dirname(join(modules, name)), { recursive: true });
    await symlink(join(PROJECT_FOLDER, "node_modules", name), join(modules, name));
  }
  return join(folder, bin.gleaner);
}

test("the packed command starts the service, and runs a scraper into a file", async () => {
  const bin = await install(await packed());
  const cwd = join(root, "elsewhere");
  const gleaner = async (...args: string[]) => (await run(process.execPath, [bin, ...args], { cwd })).stdout;
  expect(await gleaner("--help")).toContain("scraper");

  const shop = await startShop();
  const allowed = ["--allow-host", new URL(shop.url).host];
  const service = spawn(process.execPath, [bin, "start", "--port", "0", ...allowed], { cwd });
  try {
    let output = "";
    // Read on: a service whose output nobody reads any more ends.
    service.stdout.on("data", (chunk) => {
      output += chunk;
    });
    while (!output.includes("glr_")) await once(service.stdout, "data");
    const example = await readFile(join(PROJECT_FOLDER, "examples", "shop-catalogue.json"), "utf8");
    const file = join(cwd, "shop.json");
    await writeFile(file, example.replaceAll("http://localhost:4100", shop.url));
    const { id } = JSON.parse(await gleaner("scraper", "put", file, "--json"));
    expect(await gleaner("run", "start", id, "--limit", "3", "-o", "rows.csv")).toContain(
      "Wrote rows.csv: csv, 3 rows",
    );
    const env = { ...process.env, HOME: root, XDG_CONFIG_HOME: join(root, "config"), GLEANER_URL: "" };
    const words = [bin, "mcp", "install", "cursor", "--yes", "--json"];
    const installed = JSON.parse((await run(process.execPath, words, { cwd, env })).stdout);
    expect(installed.path).toBe(join(root, ".cursor", "mcp.json"));
    const client = new Client({ name: "test", version: "1" });
    await client.connect(new StdioClientTransport({ ...installed.server, stderr: "ignore" }));
    const called = await client.callTool({ name: "list_scrapers", arguments: {} });
    expect(JSON.stringify(called.content)).toContain(id);
    await client.close();
    expect((await readFile(join(cwd, "rows.csv"), "utf8")).trim().split("\r\n")).toHaveLength(4);
  } finally {
    service.kill("SIGTERM");
    if (service.exitCode === null) await once(service, "exit");
    await shop.close();
  }
}, 120_000);
