import { randomUUID } from "node:crypto";
import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";

/** Makes a server respond to invalid HTTP and to CONNECT requests with errors in the format of the API. */
export function refuseBadHttp(server: Server): void {
  /** The responses in progress on each connection. There may be several, because clients may pipeline requests. */
  const open = new WeakMap<Duplex, Set<ServerResponse<IncomingMessage>>>();
  server.prependListener("request", (request, response) => {
    const responses = open.get(request.socket) ?? new Set();
    open.set(request.socket, responses.add(response));
    response.once("close", () => responses.delete(response));
  });
  /**
   * Connections that have already got the error response. The parser reports an error for each further chunk of input.
   */
  const refused = new WeakSet<Duplex>();
  server.on("clientError", async (error: NodeJS.ErrnoException, socket) => {
    if (refused.has(socket)) return;
    refused.add(socket);
    // First, the complete requests that came before the invalid one get their responses.
    const before = [...(open.get(socket) ?? [])].filter(({ req }) => req.complete);
    await Promise.all(before.map((response) => new Promise((done) => response.once("close", done))));
    refuse(socket, ...(refusals[error.code ?? ""] ?? NOT_HTTP));
  });
  server.on("connect", (_request, socket) => {
    // The server has detached the socket, so no other listener handles its errors.
    socket.on("error", () => socket.destroy());
    refuse(socket, 404, "There is no such endpoint.");
  });
}

/** The status and message of the response for each error code of Node.js. */
const refusals: Record<string, [number, string]> = {
  HPE_HEADER_OVERFLOW: [431, "The address and headers of the request are too long."],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [413, "The extensions of the body's chunks are too long."],
  ERR_HTTP_REQUEST_TIMEOUT: [408, "The request did not arrive in time."],
};
const NOT_HTTP: [number, string] = [400, "The request is not valid HTTP."];

function refuse(socket: Duplex, status: number, message: string): void {
  if (!socket.writable) return void socket.destroy();
  const { headers, body } = errorResponse(status, message);
  const lines = Object.entries({
    ...headers,
    "content-length": Buffer.byteLength(body),
    connection: "close",
  });
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join("")}\r\n${body}`,
  );
}

/** An error response of the gateway itself, not of a handler. */
export const errorResponse = (statusCode: number, message: string, headers: Record<string, string> = {}) => ({
  statusCode,
  headers: { "content-type": "application/json", "x-request-id": randomUUID(), ...headers },
  body: JSON.stringify({ message }),
});
