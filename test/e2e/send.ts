import { type Agent, request } from "node:http";
import { gunzipSync } from "node:zlib";

/** A request as it goes over the wire. */
export interface Sent {
  method: string;
  /** Path and query. */
  path: string;
  headers: Record<string, string>;
  body?: Buffer | string | undefined;
}

export interface Received {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  text: string;
}

/** The text of a body, which may be compressed. */
export const textOf = (body: Buffer, headers: Received["headers"]): string =>
  (headers["content-encoding"] === "gzip" ? gunzipSync(body) : body).toString();

/** By node:http and not by fetch: that one would not let out all that tests send, and adds headers of its own. */
export function send(baseUrl: string, asked: Sent, agent: Agent | false = false): Promise<Received> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(baseUrl);
    const { method, path, headers, body = "" } = asked;
    const sent = request(
      {
        hostname,
        port,
        path,
        method,
        headers: { ...headers, "content-length": Buffer.byteLength(body) },
        agent,
      },
      async (response) => {
        try {
          const body = Buffer.concat(await Array.fromAsync(response as AsyncIterable<Buffer>));
          const { statusCode: status = 0, headers } = response;
          resolve({ status, headers, text: textOf(body, headers) });
        } catch (error) {
          reject(error);
        }
      },
    );
    sent.on("error", (error: NodeJS.ErrnoException) => {
      // The service may close an idle connection at the moment in which it is used again: that says nothing of it.
      if (sent.reusedSocket && error.code === "ECONNRESET") resolve(send(baseUrl, asked, agent));
      else reject(error);
    });
    sent.end(body);
  });
}
