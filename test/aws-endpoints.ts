import { createHash } from "node:crypto";
import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { json, text } from "node:stream/consumers";
import type { LocalDynamoDb } from "../local/dynamodb/client.ts";

/** What processes that only know AWS's protocols talk to. */
export interface Endpoint {
  url: string;
  close(): void;
}

async function listen(onRequest: RequestListener): Promise<Endpoint> {
  const server = createServer(onRequest).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** The local table behind DynamoDB's protocol. */
export const serveDynamoDb = ({ client }: LocalDynamoDb): Promise<Endpoint> =>
  listen(async (request, response) => {
    const { handle } = client.config.requestHandler;
    const sent = { headers: request.headers, body: await text(request) };
    const { response: answer } = await handle(sent as unknown as Parameters<typeof handle>[0]);
    response.writeHead(answer.statusCode, answer.headers).end(answer.body);
  });

/** As much of SQS as sends messages. */
export async function serveSqs(): Promise<Endpoint & { take(queue: string): { body: string } | undefined }> {
  const messages: { queue: string; body: string }[] = [];
  const endpoint = await listen(async (request, response) => {
    if (request.headers["x-amz-target"] !== "AmazonSQS.SendMessage") {
      return response.writeHead(400).end('{"__type":"UnsupportedOperation"}');
    }
    const { QueueUrl, MessageBody } = (await json(request)) as { QueueUrl: string; MessageBody: string };
    messages.push({ queue: new URL(QueueUrl).pathname.slice(1), body: MessageBody });
    const MD5OfMessageBody = createHash("md5").update(MessageBody).digest("hex");
    return response
      .setHeader("content-type", "application/x-amz-json-1.0")
      .end(JSON.stringify({ MessageId: String(messages.length), MD5OfMessageBody }));
  });
  return {
    ...endpoint,
    take(queue) {
      const at = messages.findIndex((message) => message.queue === queue);
      return at === -1 ? undefined : messages.splice(at, 1)[0];
    },
  };
}
