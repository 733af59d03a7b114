import type { LookupAddress } from "node:dns";
import { text } from "node:stream/consumers";
import { afterEach, describe, expect, jest, test } from "@jest/globals";
import type { Lookup } from "../../../../functions/egress/connect/resolve.ts";
import { createPoster, type PostOptions } from "../../../../functions/egress/requests/post-json.ts";
import { closeAll, eventually, httpSite, tcpSite } from "../loopback.ts";

afterEach(closeAll);

const options = (more: Partial<PostOptions> = {}): PostOptions => ({
  headers: { "content-type": "application/json" },
  body: "{}",
  timeoutMs: 10_000,
  maxResponseBytes: 1024,
  ...more,
});
const ipv4 = (...addresses: string[]): LookupAddress[] =>
  addresses.map((address) => ({ address, family: 4 }));

/** A receiver that keeps what it gets. */
async function receiver(status = 200, answer = "thanks") {
  const got: {
    headers: Record<string, unknown>;
    body: string;
    method?: string | undefined;
    url?: string | undefined;
  }[] = [];
  const site = await httpSite(async (request, response) => {
    const { method, url, headers } = request;
    got.push({ method, url, headers, body: await text(request) });
    response.writeHead(status, { Location: "http://127.0.0.1:1/" }).end(answer);
  });
  return { site, got, post: createPoster({ allowHosts: [site.host] }) };
}

describe("bodies", () => {
  test("a text", async () => {
    const { site, got, post } = await receiver();
    const answer = await post(`http://${site.host}/hook?a=b`, options({ body: '{"ü":1}' }));
    expect(answer).toEqual({ status: 200, body: "thanks", durationMs: expect.any(Number) });
    expect(got).toHaveLength(1);
    expect(got[0]).toMatchObject({
      ...{ method: "POST", url: "/hook?a=b", body: '{"ü":1}' },
      headers: { host: site.host, "content-type": "application/json", "content-length": "8" },
    });
    await eventually(() => site.open.size === 0);
  });

  test("a small iteration goes with its length", async () => {
    const { site, got, post } = await receiver();
    const body = async function* () {
      yield '{"a":';
      yield Buffer.from("1}");
    };
    await post(`http://${site.host}/`, options({ body: body() }));
    expect(got[0]).toMatchObject({ body: '{"a":1}', headers: { "content-length": "7" } });
  });

  test("a large one is streamed, whole and in order", async () => {
    const { site, got, post } = await receiver();
    const rows = Array.from({ length: 300_000 }, (_, i) => `row ${i}\n`);
    let ended = false;
    const body = async function* () {
      yield* rows;
      ended = true;
    };
    await post(`http://${site.host}/`, options({ body: body() }));
    expect(got[0]?.headers["transfer-encoding"]).toBe("chunked");
    expect(got[0]?.body === rows.join("")).toBe(true);
    expect(ended).toBe(true);
  });

  test.each([0, 2_000_000])(
    "one that breaks after %i bytes is its own error, and no whole delivery",
    async (bytes) => {
      let completed = 0;
      const site = await httpSite((request) => {
        request.on("error", () => {});
        request.resume().on("end", () => completed++);
      });
      const body = async function* () {
        yield Buffer.alloc(bytes);
        await new Promise((resolve) => setTimeout(resolve, 10));
        throw new Error("the table is gone");
      };
      const post = createPoster({ allowHosts: [site.host] });
      await expect(post(`http://${site.host}/`, options({ body: body() }))).rejects.toThrow(
        "the table is gone",
      );
      await eventually(() => site.open.size === 0);
      expect(completed).toBe(0);
    },
  );

  test("an answer before the whole body ends the sending", async () => {
    const site = await httpSite((_request, response) => void response.writeHead(413).end("too large"));
    let finished = false;
    const body = async function* () {
      try {
        for (;;) yield Buffer.alloc(100_000);
      } finally {
        finished = true;
      }
    };
    const post = createPoster({ allowHosts: [site.host] });
    expect(await post(`http://${site.host}/`, options({ body: body() }))).toMatchObject({ status: 413 });
    await eventually(() => finished && site.open.size === 0);
  });
});

describe("answers", () => {
  test("redirects are not followed", async () => {
    const { site, got, post } = await receiver(307, "elsewhere");
    expect(await post(`http://${site.host}/`, options())).toMatchObject({ status: 307, body: "elsewhere" });
    expect(got).toHaveLength(1);
  });

  test("no more than the first bytes are read, of an answer without end too", async () => {
    const site = await httpSite((_request, response) => {
      const write = () => {
        while (!response.destroyed && response.write("y".repeat(1000)));
      };
      response.on("drain", write);
      write();
    });
    const post = createPoster({ allowHosts: [site.host] });
    const { status, body } = await post(`http://${site.host}/`, options({ maxResponseBytes: 1500 }));
    expect({ status, body }).toEqual({ status: 200, body: "y".repeat(1500) });
    await eventually(() => site.open.size === 0);
  });

  test("one that drips is cut at the time-out, and its status counts", async () => {
    const site = await httpSite((_request, response) => {
      response.write("a");
      const drip = setInterval(() => response.write("."), 5);
      response.on("close", () => clearInterval(drip));
    });
    const post = createPoster({ allowHosts: [site.host] });
    const { status, body } = await post(`http://${site.host}/`, options({ timeoutMs: 100 }));
    expect(status).toBe(200);
    expect(body).toMatch(/^a\.*$/);
    await eventually(() => site.open.size === 0);
  });

  test.each([
    ["never answers", () => {}],
    [
      "drips headers",
      (socket: import("node:net").Socket) => {
        socket.write("HTTP/1.1 200 OK\r\n");
        const drip = setInterval(() => socket.write("X: y\r\n"), 5);
        socket.on("close", () => clearInterval(drip));
      },
    ],
  ])("a receiver that %s", async (_name, onConnection) => {
    const site = await tcpSite((socket) => {
      socket.resume();
      onConnection(socket);
    });
    const post = createPoster({ allowHosts: [site.host] });
    await expect(post(`http://${site.host}/`, options({ timeoutMs: 60 }))).rejects.toMatchObject({
      code: "timeout",
      message: `${site.host} did not answer within 60 ms`,
    });
    await eventually(() => site.open.size === 0);
  });

  test.each(["look-up", "body"])("a %s that never ends", async (what) => {
    const never = () => new Promise<never>(() => {});
    const body = async function* () {
      yield await never();
    };
    const post = createPoster({
      allowHosts: ["slow.test:80"],
      lookup: what === "body" ? async () => ipv4("127.0.0.1") : never,
    });
    await expect(post("http://slow.test/", options({ timeoutMs: 40, body: body() }))).rejects.toMatchObject({
      code: "timeout",
    });
  });

  test("a receiver that hangs up", async () => {
    const site = await tcpSite((socket) => void socket.once("data", () => socket.destroy()));
    const post = createPoster({ allowHosts: [site.host] });
    await expect(post(`http://${site.host}/`, options())).rejects.toMatchObject({ code: "connect_failed" });
  });

  test("nobody listens", async () => {
    const { site, post } = await receiver();
    await closeAll();
    let finished = false;
    const body = async function* () {
      try {
        for (;;) yield Buffer.alloc(100_000);
      } finally {
        finished = true;
      }
    };
    await expect(post(`http://${site.host}/`, options({ body: body() }))).rejects.toMatchObject({
      code: "connect_failed",
      message: `The connection to ${site.host} failed: ECONNREFUSED`,
    });
    await eventually(() => finished);
  });

  test("https is spoken to https addresses, and to nobody who can't", async () => {
    const { site, got, post } = await receiver();
    await expect(post(`https://${site.host}/`, options())).rejects.toMatchObject({ code: "connect_failed" });
    expect(got).toEqual([]);
  });
});

describe("the policy", () => {
  test.each([
    ...[
      "http://127.0.0.1/",
      "http://localhost/",
      "http://0x7f.1/",
      "http://[::1]/",
      "https://169.254.169.254/latest",
    ],
    ...[
      "http://[::ffff:10.0.0.1]/",
      "http://8.8.8.8:22/",
      "http://user:secret@10.0.0.1/",
      "http://localhost./",
    ],
  ])("refuses %s", async (url) => {
    const post = createPoster({ allowHosts: [] });
    const error = await post(url, options()).catch((caught) => caught);
    expect(error).toMatchObject({ name: "EgressError", code: "blocked_address" });
    expect(error.message).not.toContain("secret");
  });

  test("refuses names by what they resolve to, which is not told", async () => {
    const post = createPoster({ allowHosts: [], lookup: async () => ipv4("10.1.2.3") });
    const error = await post("http://inside.test/", options()).catch((caught) => caught);
    expect(error.message).toBe("inside.test:80 can't be reached: it is not a public address");
  });

  test("connects to the address that was checked", async () => {
    const { site, got } = await receiver();
    const lookup = jest
      .fn<Lookup>()
      .mockResolvedValueOnce(ipv4("127.0.0.1"))
      .mockResolvedValue(ipv4("127.0.0.2"));
    const post = createPoster({ allowHosts: [`hook.test:${site.port}`], lookup });
    await post(`http://hook.test:${site.port}/`, options());
    expect(lookup).toHaveBeenCalledTimes(1);
    expect(got[0]?.headers.host).toBe(`hook.test:${site.port}`);
  });

  test("a name that is not found", async () => {
    const post = createPoster({
      allowHosts: [],
      lookup: async () => Promise.reject(new Error("EAI_AGAIN 10.0.0.2")),
    });
    await expect(post("http://dead.test/", options())).rejects.toMatchObject({
      code: "name_not_found",
      message: "The name dead.test was not found",
    });
  });

  test.each(["ftp://8.8.8.8/", "file:///etc/passwd", "nothing", "http://"])(
    "%s is no address",
    async (url) => {
      await expect(createPoster({ allowHosts: [] })(url, options())).rejects.toMatchObject({
        code: "bad_request",
      });
    },
  );
});
