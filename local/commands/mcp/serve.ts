import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { apiAt, type CallApi, ToolError } from "../../../functions/mcp/api-client.ts";
import { createMcpServer } from "../../../functions/mcp/mcp-server.ts";
import { findTarget, type Where } from "../../client/target.ts";
import { CommandError } from "../../command-error.ts";
import { note } from "../../terminal/print.ts";

/**
 * Runs an MCP server on standard input and output until the client closes them. Each call finds the service again,
 * because the service may start after the MCP server, or restart meanwhile.
 */
export function serve(where: Where): void {
  const call: CallApi = async (path, request) => {
    const { url, key } = await findTarget(where).catch((cause) => {
      throw cause instanceof CommandError ? new ToolError(cause.message, { cause }) : cause;
    });
    return apiAt(url, `Bearer ${key}`)(path, request);
  };
  // Standard output carries the protocol, so errors go to standard error.
  const log = {
    info: () => {},
    error: (message: string, fields = {}) => note(`${message}: ${text(fields)}`),
  };
  serveStdio(() => createMcpServer(call, log), { onerror: (error) => note(error.message) });
}

const text = (fields: Record<string, unknown>) =>
  Object.values(fields)
    .map((value) => (value instanceof Error ? (value.stack ?? value.message) : String(value)))
    .join(", ");
