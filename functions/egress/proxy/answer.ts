import type { ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import type { EgressError, EgressErrorCode } from "../egress-error.ts";

/** Status line and Proxy-Status error type (RFC 9209) of the proxy's own responses. */
const ANSWERS: Record<EgressErrorCode, readonly [status: number, reason: string, error: string]> = {
  blocked_address: [403, "Forbidden", "destination_ip_prohibited"],
  limit_exceeded: [403, "Forbidden", "http_request_denied"],
  bad_request: [400, "Bad Request", "http_request_error"],
  name_not_found: [502, "Bad Gateway", "dns_error"],
  connect_failed: [502, "Bad Gateway", "connection_terminated"],
  upstream_failed: [502, "Bad Gateway", "destination_unavailable"],
  upstream_refused: [502, "Bad Gateway", "destination_unavailable"],
  timeout: [504, "Gateway Timeout", "connection_timeout"],
};

function headersOf(error: string, length: number) {
  return {
    "Proxy-Status": `gleaner; error=${error}`,
    "Content-Type": "text/plain; charset=utf-8",
    "Content-Length": String(length),
    "Cache-Control": "no-store",
  };
}

export function answerRequest(response: ServerResponse, error: EgressError): void {
  // Too late for another status. Closing the connection tells the client that the response is incomplete.
  if (response.headersSent) {
    response.destroy();
    return;
  }
  const [status, reason, type] = ANSWERS[error.code];
  const body = `${error.message}\n`;
  response.writeHead(status, reason, headersOf(type, Buffer.byteLength(body))).end(body);
}

export function answerConnect(client: Duplex, error: EgressError): void {
  const [status, reason, type] = ANSWERS[error.code];
  const headers = Object.entries({ ...headersOf(type, 0), Connection: "close" });
  client.end(
    `HTTP/1.1 ${status} ${reason}\r\n${headers.map((pair) => pair.join(": ")).join("\r\n")}\r\n\r\n`,
  );
}
