import { once } from "node:events";
import { type AddressInfo, connect } from "node:net";
import { expect, test } from "@jest/globals";
import { createGateway } from "../../local/http/gateway.ts";

const log = { info() {}, error() {} };

/* The time-outs themselves take too long for a test, so it lowers them. */
test("a request whose headers do not come is closed soon after its time, not half a minute later", async () => {
  const gateway = createGateway({} as Parameters<typeof createGateway>[0], log);
  expect(gateway.headersTimeout).toBe(10_000);
  gateway.headersTimeout = 1;
  await once(gateway.listen(0, "127.0.0.1"), "listening");
  const socket = connect((gateway.address() as AddressInfo).port, "127.0.0.1");
  socket.write("GET /v1/runs HTTP/1.1\r\nHost: localhost\r\n");
  let answer = "";
  for await (const chunk of socket) answer += chunk;
  expect(answer).toContain("408 Request Timeout");
  await new Promise((resolve) => gateway.close(resolve));
}, 20_000);

test("a connection stays open between two requests for longer than a client may get no CPU time", async () => {
  const gateway = createGateway({} as Parameters<typeof createGateway>[0], log);
  await once(gateway.listen(0, "127.0.0.1"), "listening");
  const { port } = gateway.address() as AddressInfo;
  const { headers } = await fetch(`http://127.0.0.1:${port}/`);
  expect(headers.get("keep-alive")).toBe("timeout=120");
  await new Promise((resolve) => gateway.close(resolve));
});
