import { mkdir } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { json } from "node:stream/consumers";
import { DeleteObjectsCommand, ListObjectsV2Command, PutObjectCommand, S3Client } from "@aws-sdk/client-s3";
import { afterAll, beforeAll, beforeEach, expect, test } from "@jest/globals";
import type { CloudFormationCustomResourceEvent, Context } from "aws-lambda";
import { mockClient } from "aws-sdk-client-mock";
import { buildConsole } from "../../../console/build/build.ts";
import type { ConsoleFiles } from "../../../console/build/files.ts";
import { writeConsole } from "../../../console/build/write.ts";
import { handler } from "../../../functions/lambda/publish-console.ts";
import { newFolder } from "../../new-folder.ts";

const s3 = mockClient(S3Client);
const received: { status: number; type: string | undefined; body: Record<string, unknown> }[] = [];
let status = 200;
const cloudFormation = createServer(async (request, response) => {
  const body = (await json(request)) as Record<string, unknown>;
  received.push({ status, type: request.headers["content-type"], body });
  response.writeHead(status).end();
});
let folder: string;
let files: ConsoleFiles;

beforeAll(async () => {
  folder = await newFolder();
  await writeConsole(join(folder, "console"));
  ({ files } = await buildConsole());
  await new Promise<void>((listening) => cloudFormation.listen(0, "127.0.0.1", listening));
});

beforeEach(() => {
  s3.reset();
  received.length = 0;
  status = 200;
  process.env.LAMBDA_TASK_ROOT = folder;
});

afterAll(async () => {
  s3.restore();
  delete process.env.LAMBDA_TASK_ROOT;
  cloudFormation.closeAllConnections();
  cloudFormation.close();
});

const ask = (RequestType: string) =>
  handler(
    {
      RequestType,
      ResponseURL: `http://127.0.0.1:${(cloudFormation.address() as AddressInfo).port}/answer?Signature=x`,
      StackId: "stack",
      RequestId: "request",
      LogicalResourceId: "Files",
      ResourceType: "Custom::ConsoleFiles",
      ResourceProperties: { ServiceToken: "arn", ServiceTimeout: "600", Bucket: "files", Version: "1.zip" },
    } as unknown as CloudFormationCustomResourceEvent,
    {} as Context,
  );
const ids = {
  StackId: "stack",
  RequestId: "request",
  LogicalResourceId: "Files",
  PhysicalResourceId: "files",
};

test.each(["Create", "Update"])(
  "%s puts each file with its media type and how long it may be cached",
  async (type) => {
    s3.on(PutObjectCommand).resolves({});
    await ask(type);
    const puts = s3.commandCalls(PutObjectCommand).map(({ args: [{ input }] }) => input);
    expect(new Map(puts.map(({ Key, Body }) => [Key, Buffer.from(Body as Uint8Array)]))).toEqual(
      new Map([...files].map(([path, content]) => [path, Buffer.from(content)])),
    );
    const types = {
      js: "text/javascript",
      css: "text/css",
      svg: "image/svg+xml",
      html: "text/html",
      md: "text/markdown",
    };
    for (const { Bucket, Key = "", ContentType, CacheControl } of puts) {
      expect(Bucket).toBe("files");
      expect(ContentType).toMatch(types[Key.split(".").at(-1) as keyof typeof types]);
      expect(CacheControl).toBe(Key === "index.html" ? "no-cache" : "public, max-age=31536000, immutable");
    }
    expect(new Set(puts.map(({ Key = "" }) => Key.split(".").at(-1)))).toEqual(new Set(Object.keys(types)));
    expect(s3.commandCalls(DeleteObjectsCommand)).toEqual([]);
    expect(received).toEqual([{ status: 200, type: undefined, body: { ...ids, Status: "SUCCESS" } }]);
  },
);

test("the page comes after the files that it names, and not at all if one of them fails", async () => {
  const stored: string[] = [];
  s3.on(PutObjectCommand).callsFake(async ({ Key }) => {
    await new Promise(setImmediate);
    stored.push(Key);
  });
  await ask("Create");
  expect(stored.at(-1)).toBe("index.html");
  expect(stored).toHaveLength(files.size);

  s3.on(PutObjectCommand).callsFake(({ Key }) => {
    if (Key.endsWith(".css")) throw new Error("Access Denied");
  });
  s3.resetHistory();
  await ask("Update");
  const keys = s3.commandCalls(PutObjectCommand).map(({ args: [{ input }] }) => input.Key);
  expect(keys).not.toContain("index.html");
  expect(received.at(-1)?.body).toEqual({ ...ids, Status: "FAILED", Reason: "Error: Access Denied" });
});

test("an asset without files fails the deployment", async () => {
  const empty = join(folder, "empty");
  await mkdir(join(empty, "console"), { recursive: true });
  process.env.LAMBDA_TASK_ROOT = empty;
  await ask("Create");
  expect(received.at(-1)?.body).toMatchObject({
    Status: "FAILED",
    Reason: expect.stringContaining("ENOENT"),
  });
});

test("Delete removes all that is in the bucket, however much, and puts nothing there", async () => {
  const bucket = new Set(Array.from({ length: 2_500 }, (_, index) => `assets/${index}.js`));
  s3.on(ListObjectsV2Command).callsFake(() => ({
    Contents: [...bucket].slice(0, 1_000).map((Key) => ({ Key })),
  }));
  s3.on(DeleteObjectsCommand).callsFake(({ Delete }) => {
    for (const { Key } of Delete.Objects) bucket.delete(Key);
    return {};
  });
  await ask("Delete");
  expect(bucket.size).toBe(0);
  expect(s3.commandCalls(DeleteObjectsCommand)).toHaveLength(3);
  expect(s3.commandCalls(PutObjectCommand)).toEqual([]);
  expect(received.map(({ body }) => body)).toEqual([{ ...ids, Status: "SUCCESS" }]);
});

test("a file that can't be removed is told, and not tried for ever", async () => {
  s3.on(ListObjectsV2Command).resolves({ Contents: [{ Key: "a.js" }] });
  s3.on(DeleteObjectsCommand).resolves({ Errors: [{ Key: "a.js", Message: "Access Denied" }] });
  await ask("Delete");
  expect(received.at(-1)?.body).toMatchObject({
    Status: "FAILED",
    Reason: "Error: a.js can't be deleted: Access Denied",
  });
});

test("a long reason fits into what CloudFormation takes", async () => {
  s3.on(ListObjectsV2Command).rejects(new Error("x".repeat(4_096)));
  await ask("Delete");
  expect(Buffer.byteLength(JSON.stringify(received.at(-1)?.body))).toBeLessThan(4_096);
});

test("a response that CloudFormation did not take is an error, so that Lambda tries again", async () => {
  s3.on(ListObjectsV2Command).resolves({});
  status = 503;
  await expect(ask("Delete")).rejects.toThrow("CloudFormation refused the response: 503.");
});
