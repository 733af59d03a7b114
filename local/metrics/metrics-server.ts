import { createServer, type Server } from "node:http";
import type { Log } from "../../functions/log.ts";
import { exposition, MEDIA_TYPE, type Metric } from "./exposition.ts";

/**
 * The HTTP server with the metrics. It needs no key, and checks no host name: Prometheus may reach it under any one, and
 * the metrics have no names, addresses or contents.
 */
export function createMetricsServer(read: () => Promise<Metric[]>, log: Log): Server {
  return createServer(async (request, response) => {
    if (request.url !== "/metrics") return response.writeHead(404).end("The metrics are at /metrics.\n");
    if (request.method !== "GET") return response.writeHead(405, { allow: "GET" }).end();
    try {
      const text = exposition(await read());
      response.writeHead(200, { "content-type": MEDIA_TYPE }).end(text);
    } catch (error) {
      log.error("The metrics could not be read", { error });
      response.writeHead(500).end("The log of the service has the cause.\n");
    }
  });
}
