import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** The part of S3's API that uploads use, with objects in memory, as its reference describes it. */
export async function startS3() {
  const objects = new Map<string, string>();
  const uploads = new Map<string, Map<number, string>>();
  const requests: string[] = [];
  /** The error that the next requests get. */
  let failure: { status: number; code: string } | undefined;
  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? "", "http://s3");
    const key = decodeURIComponent(url.pathname.slice(1));
    const body = await text(request);
    requests.push(
      `${request.method} ${url.searchParams.has("partNumber") ? "part" : [...url.searchParams.keys()][0]}`,
    );
    if (failure !== undefined)
      return answer(response, failure.status, `<Error><Code>${failure.code}</Code></Error>`);
    const id = url.searchParams.get("uploadId");
    if (request.method === "POST" && id === null) {
      uploads.set(key, new Map());
      return answer(
        response,
        200,
        `<InitiateMultipartUploadResult><UploadId>${key}</UploadId></InitiateMultipartUploadResult>`,
      );
    }
    if (request.method === "PUT" && id !== null) {
      const part = Number(url.searchParams.get("partNumber"));
      uploads.get(id)?.set(part, body);
      return answer(response, 200, "", { etag: `"${part}"` });
    }
    if (request.method === "PUT") objects.set(key, body);
    if (request.method === "DELETE") uploads.delete(id ?? "");
    if (request.method === "POST" && id !== null) {
      const named = [...body.matchAll(/<PartNumber>(\d+)</g)].map(([, number]) => Number(number));
      objects.set(key, named.map((number) => uploads.get(id)?.get(number)).join(""));
      uploads.delete(id);
      return answer(response, 200, "<CompleteMultipartUploadResult/>");
    }
    return answer(response, 200, "");
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const { port } = server.address() as AddressInfo;
  return {
    objects,
    uploads,
    requests,
    host: `127.0.0.1:${port}`,
    fail: (next: typeof failure) => {
      failure = next;
    },
    close: () => new Promise((closed) => server.close(closed)),
  };
}

async function text(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

const answer = (response: ServerResponse, status: number, body: string, headers = {}) =>
  void response.writeHead(status, { "content-type": "application/xml", ...headers }).end(body);
