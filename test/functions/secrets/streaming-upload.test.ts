import { once } from "node:events";
import { createSecureServer, type ServerHttp2Session, type ServerHttp2Stream } from "node:http2";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, expect, test } from "@jest/globals";
import type { Step } from "../../../functions/contract/steps/steps.ts";
import { multiProcessArgs } from "../../../functions/scraping/browser/browsers.ts";
import type { SecretReader } from "../../../functions/secrets/secret.ts";
import { withSecrets } from "../../../functions/secrets/with-secrets.ts";
import { type Site, startSite } from "../../site/site.ts";
import { certificate } from "../../site/tls/certificate.ts";
import { type Engine, startEngine } from "../scraping/harness.ts";

/*
 * An upload to another host that a page begins before a secret is typed, and writes to afterwards. Browsers only stream a
 * request's body over HTTP/2. When the tunnel of such an upload is closed, they repeat it on a new one.
 */

const PASSWORD = "hunter-2-hunter";

let site: Site;
let engine: Engine;
/** What the other host got, and when it got something. */
let received = "";
let begun = Promise.withResolvers<void>();
const other = createSecureServer(certificate);
const sessions = new Set<ServerHttp2Session>();
other.on("session", (session) => void sessions.add(session));
other.on("stream", (stream: ServerHttp2Stream, headers) => {
  const allowed = { "access-control-allow-origin": "*", "access-control-allow-headers": "*" };
  stream.on("error", () => {});
  if (headers[":method"] === "OPTIONS") {
    stream.respond({ ":status": 204, ...allowed });
    stream.end();
    return;
  }
  stream.on("data", (chunk: Buffer) => {
    received += chunk.toString();
    begun.resolve();
  });
  stream.on("end", () => {
    // The client has gone if it broke off.
    if (stream.destroyed) return;
    stream.respond({ ":status": 200, ...allowed });
    stream.end();
  });
});

beforeAll(async () => {
  site = await startSite();
  await once(other.listen(0, "127.0.0.1"), "listening");
  const host = `127.0.0.1:${(other.address() as AddressInfo).port}`;
  const read: SecretReader = async () => new Map([["password", { value: PASSWORD, hosts: [] }]]);
  engine = await startEngine([site.host, host], {
    args: [...multiProcessArgs, "--ignore-certificate-errors"],
    wrap: (scrape) => withSecrets(scrape, read, "acme"),
  });
  site.setRoute("/begun", async (_, response) => {
    await begun.promise;
    response.end();
  });
  site.setRoute(
    "/page",
    `<input><button>Go</button><script>
      const { readable, writable } = new TransformStream();
      const writer = writable.getWriter();
      const write = (text) => writer.write(new TextEncoder().encode(text));
      const tell = (text) => () => document.body.append(text);
      const upload = { method: "POST", body: readable, duplex: "half" };
      fetch("https://${host}/", upload).then(tell("The upload has ended."), () => {});
      write("begun ").catch(() => {});
      fetch("/begun").then(tell("The upload has begun."));
      document.querySelector("button").onclick = async () => {
        await write(document.querySelector("input").value);
        await writer.close();
      };
    </script>`,
  );
});
beforeEach(() => {
  received = "";
  begun = Promise.withResolvers();
});
afterAll(async () => {
  await engine.close();
  await site.close();
  for (const session of sessions) session.destroy();
  other.close();
});

const steps = (value: string): Step[] => [
  { type: "visit", url: site.url("/page") },
  // It waits for the upload, too, which ends later: for as long as its time-out.
  { type: "wait", text: "The upload has begun." },
  { type: "write_input", selector: "input", value },
  { type: "click", selector: "button" },
  { type: "wait", text: "The upload has ended.", timeout_ms: 30_000 },
];

test("an upload that begins before a secret is typed ends the run, and is not sent", async () => {
  const told = await engine.run({ steps: steps("{{secret:password}}") });
  expect(told.failure).toMatchObject({ code: "secret_unavailable" });
  expect(told.failure?.message).toContain('The secret "password" was not sent to 127.0.0.1');
  expect(received).toBe("");
});

test("a run without secrets sends such an upload, with what is typed later", async () => {
  const told = await engine.run({ steps: steps(PASSWORD) });
  expect(told.failure).toBeUndefined();
  expect(received).toBe(`begun ${PASSWORD}`);
});
