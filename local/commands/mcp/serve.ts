import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { apiAt, type CallApi, ToolError } from "../../../functions/mcp/api-client.ts";
import { createMcpServer } from "../../../functions/mcp/mcp-server.ts";
import { findTarget, type Where } from "../../client/target.ts";
import { CommandError } from "../../command-error.ts";
import { note } from "../../terminal/print.ts";

/**
 * Speaks MCP on standard input and output until the client closes them. Each call looks for the service anew: an agent may
 * be there before the service is, and longer.
 */
export function serve(where: Where): void {
  const call: CallApi = async (path, request) => {
    const { url, key } = await findTarget(where).catch((cause) => {
      throw cause instanceof CommandError ? new ToolError(cause.message, { cause }) : cause;
    });
    return apiAt(url, `Bearer ${key}`)(path, request);
  };
  // Standard output belongs to the protocol.
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
