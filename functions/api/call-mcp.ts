import { createMcpHandler } from "@modelcontextprotocol/server";
import { beginningOf } from "../mcp/answer.ts";
import { apiAt } from "../mcp/api-client.ts";
import { createMcpServer } from "../mcp/mcp-server.ts";
import { HttpError } from "./http-error.ts";
import type { ApiHandler } from "./types.ts";

/** The MCP server ignores the URL, but a request must have one. */
const ANY_URL = "http://mcp.invalid/";

/** Maximum nesting of objects and arrays in a body. The SDK walks them recursively, which could overflow the stack. */
const DEPTH_MAX = 100;

/** Maximum number of characters of a reason in the log. Some reasons quote the request. */
const REASON_MAX = 300;

/** Clients of MCP accept it, as the protocol demands. Others, such as generated clients of the API, get JSON. */
const EVENT_STREAM = "text/event-stream";

/** Whether a request header is passed to the MCP server. */
const isOfProtocol = (name: string) => name.startsWith("mcp-");

/**
 * MCP over Streamable HTTP, without sessions. The tools are clients of the API with the key of the caller. So an agent
 * can do exactly what its key permits, and this route needs no other permissions.
 */
export const callMcp: ApiHandler<"callMcp"> = async ({ body, headers, caller }, { baseUrl, log }) => {
  if (baseUrl === undefined) throw new Error("The service has no base URL.");
  if (caller.key === undefined)
    throw new HttpError(403, "Agents need an API key of their own. Ask the operator of the service for one.");
  if (isDeeperThan(DEPTH_MAX, body)) throw new HttpError(400, `The body has more than ${DEPTH_MAX} levels.`);
  const call = apiAt(baseUrl(), headers.authorization ?? "");
  const { fetch } = createMcpHandler(() => createMcpServer(call, log, caller.scope), {
    // No streams for notifications: the server sends none, and an open stream would keep a Lambda function busy.
    maxSubscriptions: 0,
    onerror: (error) =>
      log.info("An MCP request was refused", { reason: beginningOf(error.message, REASON_MAX) }),
  });
  const request = new Request(ANY_URL, {
    method: "POST",
    headers: {
      accept: `application/json, ${EVENT_STREAM}`,
      "content-type": "application/json",
      ...Object.fromEntries(
        Object.entries(headers).flatMap(([name, value]) =>
          isOfProtocol(name) && value !== undefined ? [[name, value]] : [],
        ),
      ),
    },
    body: JSON.stringify(body),
  });
  const response = await fetch(request, { parsedBody: body });
  const { status } = response;
  const type = response.headers.get("content-type") ?? "";
  if (type.startsWith("application/json")) return { status, json: await response.json() };
  if (response.body === null) return { status };
  if (headers.accept?.includes(EVENT_STREAM) !== true) return { status, json: await messageOf(response) };
  return { status, content: buffersOf(response.body), headers: { "content-type": type } };
};

/** The only message of a stream: the server sends no notifications. */
async function messageOf(stream: Response): Promise<unknown> {
  const [, message = ""] = /^data: (\{.*)$/m.exec(await stream.text()) ?? [];
  return JSON.parse(message);
}

async function* buffersOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<Buffer> {
  for await (const chunk of stream) yield Buffer.from(chunk);
}

function isDeeperThan(most: number, value: unknown): boolean {
  let level = [value];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > most) return true;
    level = level.flatMap((each) => (typeof each === "object" && each !== null ? Object.values(each) : []));
  }
  return false;
}
