import { createServer, type Server, type Socket } from "node:net";
import { DynamoDBClient, GetItemCommand } from "@aws-sdk/client-dynamodb";
import { afterAll, expect, test } from "@jest/globals";
import { clientOptions } from "../../../../functions/lambda/bindings/client-options.ts";

const servers: Server[] = [];
afterAll(() => {
  for (const server of servers) server.close();
});

/** Sends a request to a server that does `onConnection`, with the service's options but shorter times. */
async function request(onConnection: (socket: Socket) => void): Promise<unknown> {
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    sockets.push(socket);
    socket.on("error", () => {});
    onConnection(socket);
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as { port: number };
  const { requestHandler } = clientOptions;
  const client = new DynamoDBClient({
    requestHandler: { ...requestHandler, requestTimeout: 300, socketTimeout: 300 },
    maxAttempts: 1,
    endpoint: `http://127.0.0.1:${port}`,
    region: "eu-central-1",
    credentials: { accessKeyId: "id", secretAccessKey: "secret" },
  });
  try {
    return await client.send(new GetItemCommand({ TableName: "table", Key: { pk: { S: "a" } } }));
  } finally {
    for (const socket of sockets) socket.destroy();
  }
}

test("a request that nobody answers fails", async () => {
  await expect(request((socket) => socket.resume())).rejects.toMatchObject({ name: "TimeoutError" });
});

test("a request whose answer stops in the middle fails", async () => {
  const answer = (socket: Socket) =>
    socket.once("data", () => socket.write("HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{"));
  await expect(request(answer)).rejects.toThrow();
});
