import { homedir } from "node:os";
import { join } from "node:path";

/** A program that starts MCP servers, and the settings file in which it lists them. */
export interface Client {
  title: string;
  /** The settings file that applies to all projects of the user. */
  path: string;
  /** The field of the file that contains the servers, by name. */
  field: "mcpServers" | "servers";
}

export type ClientName = "claude" | "claude-desktop" | "cursor" | "vscode";

export function clientNamed(name: ClientName): Client {
  const home = homedir();
  switch (name) {
    case "claude":
      return { title: "Claude Code", path: join(home, ".claude.json"), field: "mcpServers" };
    case "claude-desktop":
      return {
        title: "Claude Desktop",
        path: join(applicationData(), "Claude", "claude_desktop_config.json"),
        field: "mcpServers",
      };
    case "cursor":
      return { title: "Cursor", path: join(home, ".cursor", "mcp.json"), field: "mcpServers" };
    case "vscode":
      return {
        title: "VS Code",
        path: join(applicationData(), "Code", "User", "mcp.json"),
        field: "servers",
      };
  }
}

/** The folder in which desktop applications keep their settings. */
function applicationData(): string {
  const home = homedir();
  switch (process.platform) {
    case "darwin":
      return join(home, "Library", "Application Support");
    case "win32":
      return process.env.APPDATA || join(home, "AppData", "Roaming");
    default:
      return process.env.XDG_CONFIG_HOME || join(home, ".config");
  }
}
