import { deepStrictEqual, doesNotMatch, match } from "node:assert/strict";
import { type IncomingHttpHeaders, request } from "node:http";
import { buffer } from "node:stream/consumers";
import { buildConsole } from "../../console/build/build.ts";
import { CACHE_CONTROL, headersOf } from "../../console/build/headers.ts";
import type { Deployed } from "./ministack.ts";

interface Answer {
  status: number | undefined;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

const endpointOf = ({ environment }: Deployed) => environment.AWS_ENDPOINT_URL as string;

/** What a service of MiniStack answers, as XML. */
async function ask(deployed: Deployed, service: string, path: string): Promise<string> {
  const authorization = `AWS4-HMAC-SHA256 Credential=test/20260101/us-east-1/${service}/aws4_request, SignedHeaders=host, Signature=0`;
  return (await fetch(endpointOf(deployed) + path, { headers: { authorization } })).text();
}

/**
 * Checks that the distribution serves the console's files as the local service does. MiniStack's distributions reach no
 * API Gateway, so this says nothing about `/v1/*`.
 */
export async function checkConsole(deployed: Deployed): Promise<void> {
  const [, id] = [...deployed.names].find(([name]) => name.startsWith("ConsoleDistribution")) ?? [];
  const [, host] =
    /<DomainName>([^<]+\.cloudfront\.net)</.exec(
      await ask(deployed, "cloudfront", `/2020-05-31/distribution/${id}`),
    ) ?? [];
  const get = (path: string, accept = "*/*") =>
    new Promise<Answer>((resolve, reject) => {
      const headers = { host, accept, "x-forwarded-proto": "https" };
      request(endpointOf(deployed) + path, { headers }, async (response) =>
        resolve({ status: response.statusCode, headers: response.headers, body: await buffer(response) }),
      )
        .on("error", reject)
        .end();
    });
  const { files } = await buildConsole();
  const expectFile = async (path: string, file: string) => {
    const { status, headers, body } = await get(path);
    const expected = headersOf(file);
    const got = Object.fromEntries(Object.keys(expected).map((name) => [name, headers[name]]));
    deepStrictEqual({ path, status, ...got }, { path, status: 200, ...expected });
    match(String(headers["strict-transport-security"]), /^max-age=31536000/);
    deepStrictEqual(body, Buffer.from(files.get(file) as Uint8Array));
  };
  for (const file of files.keys())
    if (headersOf(file)["cache-control"] === CACHE_CONTROL.assets) await expectFile(`/${file}`, file);
  for (const page of ["/", "/runs", "/runs/a?x=1", "/scrapers/a", "/record?url=b"])
    await expectFile(page, "index.html");
  const reference = await get("/reference", "text/html");
  deepStrictEqual([reference.status, reference.headers.location], [308, "/v1/reference"]);
  const missing = await get("/wp-login.php");
  deepStrictEqual(
    [missing.status, JSON.parse(missing.body.toString())],
    [404, { message: "There is no such endpoint." }],
  );
  match((await get("/scraper", "text/html")).body.toString(), /Open the console/);
}

/** Checks that neither buckets nor anything in CloudFront is left, after the stack has gone. */
export async function expectNoConsole(deployed: Deployed): Promise<void> {
  const buckets = [...(await ask(deployed, "s3", "/")).matchAll(/<Name>([^<]+)<\/Name>/g)].map(
    ([, name]) => name,
  );
  // The files of runs stay, as the table does.
  deepStrictEqual(
    buckets.filter((name) => !name?.includes("-storefilesbucket")),
    ["cdk-hnb659fds-assets-000000000000-us-east-1"],
  );
  for (const kind of [
    "distribution",
    "function",
    "origin-access-control",
    "response-headers-policy?Type=custom",
  ]) {
    const list = await ask(deployed, "cloudfront", `/2020-05-31/${kind}`);
    match(list, /List>/, kind);
    doesNotMatch(list, /Summary>/, kind);
  }
}
