import { execFile } from "node:child_process";
import { chmod, mkdir, readFile, stat, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { beforeEach, describe, expect, test } from "@jest/globals";
import { PROJECT_FOLDER } from "../../lib/project-folder.ts";
import { newFolder } from "../new-folder.ts";

let home: string;
beforeEach(async () => {
  home = await newFolder();
});

const onLinux = process.platform === "linux" ? describe : describe.skip;

// Only a process of its own has another home folder.
const env = () => ({
  PATH: process.env.PATH,
  HOME: home,
  XDG_CONFIG_HOME: join(home, ".config"),
  GLEANER_URL: "",
  GLEANER_KEY: "glr_planted_key",
});
const install = (...args: string[]) =>
  new Promise<{ code: number; stdout: string; stderr: string }>((resolve) => {
    const words = [join(PROJECT_FOLDER, "bin", "gleaner.js"), "mcp", "install", ...args];
    execFile(process.execPath, words, { env: env() }, (error, stdout, stderr) =>
      resolve({ code: Number(error?.code ?? 0), stdout, stderr }),
    );
  });
const json = async (path: string) => JSON.parse(await readFile(join(home, path), "utf8"));
const modeOf = async (path: string) => (await stat(join(home, path))).mode & 0o777;
const put = async (path: string, text: string, mode = 0o644) => {
  await mkdir(dirname(join(home, path)), { recursive: true });
  await writeFile(join(home, path), text);
  await chmod(join(home, path), mode);
};
const server = (...where: string[]) => ({
  type: "stdio",
  command: process.execPath,
  args: [join(PROJECT_FOLDER, "bin", "gleaner.js"), "mcp", "serve", ...where],
});

onLinux("mcp install", () => {
  test.each([
    ["claude", ".claude.json", "mcpServers"],
    ["claude-desktop", ".config/Claude/claude_desktop_config.json", "mcpServers"],
    ["cursor", ".cursor/mcp.json", "mcpServers"],
    ["vscode", ".config/Code/User/mcp.json", "servers"],
  ])("writes the file of %s, which nobody else can read, without a key", async (client, path, field) => {
    const { stdout, code } = await install(client, "--yes", "--data", join(home, "data"));
    expect(code).toBe(0);
    expect(stdout).toContain(join(home, path));
    expect(await json(path)).toEqual({ [field]: { gleaner: server("--data", join(home, "data")) } });
    expect(await modeOf(path)).toBe(0o600);
    expect(await readFile(join(home, path), "utf8")).not.toContain("glr_");
  });

  test("keeps all other settings, the permissions and links", async () => {
    const settings = { theme: "dark", mcpServers: { other: { command: "x" } }, número: "ñ" };
    await put("dotfiles/cursor.json", JSON.stringify(settings), 0o640);
    await mkdir(join(home, ".cursor"));
    await symlink(join(home, "dotfiles/cursor.json"), join(home, ".cursor/mcp.json"));
    await install("cursor", "--yes", "--data", home);
    expect(await json("dotfiles/cursor.json")).toEqual({
      ...settings,
      mcpServers: { ...settings.mcpServers, gleaner: server("--data", home) },
    });
    expect(await modeOf("dotfiles/cursor.json")).toBe(0o640);
  });

  test("without --yes and without a terminal, it shows what it would write, and writes nothing", async () => {
    const { stdout, stderr, code } = await install("cursor", "--data", home);
    expect(code).toBe(2);
    expect(stderr).toContain("Add --yes");
    expect(stdout).toContain(`"mcp",`);
    await expect(json(".cursor/mcp.json")).rejects.toThrow("ENOENT");
  });

  test("says that there is nothing to do, or that it replaces the server", async () => {
    await install("vscode", "--yes", "--data", home);
    const again = await install("vscode", "--data", home);
    expect([again.code, again.stdout]).toEqual([0, expect.stringContaining("Nothing was changed")]);
    const other = await install("vscode", "--yes", "--data", join(home, "other"));
    expect(other.stderr).toContain('It replaces the server "gleaner"');
    expect((await json(".config/Code/User/mcp.json")).servers.gleaner).toEqual(
      server("--data", join(home, "other")),
    );
  });

  test.each(['{"mcpServers": {', "[]", '{"mcpServers": []}', '// mine\n{"servers": {}}', "null"])(
    "leaves a file alone that it can't extend: %s",
    async (text) => {
      await put(".claude.json", text);
      const { code, stderr } = await install("claude", "--yes", "--data", home);
      expect([code, stderr]).toEqual([1, expect.stringContaining(join(home, ".claude.json"))]);
      expect(await readFile(join(home, ".claude.json"), "utf8")).toBe(text);
    },
  );

  test.each(["", "{}", "\ufeff{}"])("extends an empty file: %j", async (text) => {
    await put(".claude.json", text);
    expect((await install("claude", "--yes", "--data", home)).code).toBe(0);
    expect((await json(".claude.json")).mcpServers.gleaner).toEqual(server("--data", home));
  });

  test("prints JSON", async () => {
    const { stdout } = await install("claude", "--yes", "--json", "--data", home);
    const path = join(home, ".claude.json");
    expect(JSON.parse(stdout)).toEqual({
      client: "claude",
      path,
      server: server("--data", home),
      written: true,
    });
  });

  test("names the profile or the address whose key is stored, and refuses one without a key", async () => {
    const profile = (url: string) => ({ url, api_key: "glr_stored" });
    const profiles = { default: profile("https://a.example"), work: profile("https://b.example/prod") };
    await put(".config/gleaner/profiles.json", JSON.stringify(profiles), 0o600);
    const args = async (...where: string[]) => {
      await install("claude", "--yes", ...where);
      return (await json(".claude.json")).mcpServers.gleaner.args.slice(3);
    };
    expect(await args()).toEqual(["--profile", "default"]);
    expect(await args("--profile", "work")).toEqual(["--profile", "work"]);
    expect(await args("--url", "https://b.example/prod/v1/runs")).toEqual([
      "--url",
      "https://b.example/prod",
    ]);
    for (const where of [
      ["--url", "https://c.example"],
      ["--profile", "home"],
    ]) {
      const { code, stderr } = await install("claude", "--yes", ...where);
      expect([code, stderr]).toEqual([3, expect.stringContaining("npx gleaner login")]);
    }
    expect((await install("claude", "--yes", "--profile", "work", "--data", home)).code).toBe(2);
    expect((await install("emacs")).code).toBe(2);
  });
});
