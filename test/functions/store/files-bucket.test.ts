import { Readable } from "node:stream";
import {
  DeleteObjectsCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  NoSuchKey,
  PutObjectCommand,
  S3Client,
} from "@aws-sdk/client-s3";
import { afterAll, beforeEach, expect, test } from "@jest/globals";
import { mockClient } from "aws-sdk-client-mock";
import { filesBucket } from "../../../functions/store/files-bucket.ts";

/* The place for files on AWS. */

const s3 = mockClient(S3Client);
afterAll(() => s3.restore());
const objects = new Map<string, Buffer>();
const client = new S3Client({});
const bucket = filesBucket(() => ({ s3: client, name: () => "files" }));
beforeEach(() => {
  s3.reset();
  objects.clear();
  s3.on(PutObjectCommand).callsFake(async ({ Bucket, Key, Body, ContentLength }) => {
    const content = Buffer.concat(await Array.fromAsync(Body as AsyncIterable<Buffer>));
    expect({ Bucket, ContentLength }).toEqual({ Bucket: "files", ContentLength: content.length });
    objects.set(Key, content);
  });
  s3.on(GetObjectCommand).callsFake(({ Key }) => {
    const content = objects.get(Key);
    if (!content) throw new NoSuchKey({ message: "gone", $metadata: {} });
    return { Body: Readable.from([content]) };
  });
  // A page of the list has one object.
  s3.on(ListObjectsV2Command).callsFake(({ Prefix }) => ({
    Contents: [...objects.keys()]
      .filter((Key) => Key.startsWith(Prefix))
      .slice(0, 1)
      .map((Key) => ({ Key })),
  }));
  s3.on(DeleteObjectsCommand).callsFake(({ Delete }) => {
    for (const { Key } of Delete.Objects) objects.delete(Key);
    return {};
  });
});

async function* parts(...texts: string[]) {
  for (const text of texts) yield Buffer.from(text);
}

test("a file is stored as a whole and read again", async () => {
  await bucket.put("a/run.kept/1-x", parts("one ", "two"));
  const read = await bucket.read("a/run.kept/1-x");
  expect(String(Buffer.concat(await Array.fromAsync(read)))).toBe("one two");
  await expect(bucket.read("a/run.kept/other")).rejects.toThrow("There is no file a/run.kept/other.");
});

test("a file whose content breaks off is not stored", async () => {
  const broken = async function* () {
    yield Buffer.from("one");
    throw new Error("cut off");
  };
  await expect(bucket.put("a/run.kept/1-x", broken())).rejects.toThrow("cut off");
  expect(objects.size).toBe(0);
});

test("all files whose keys have the same beginning are deleted, and no others", async () => {
  for (const key of ["a/1.kept/x", "a/1.kept/y", "a/10.kept/x", "ab/1.kept/x"])
    await bucket.put(key, parts("x"));
  await bucket.remove("a/1.");
  expect([...objects.keys()]).toEqual(["a/10.kept/x", "ab/1.kept/x"]);
  await bucket.remove("a/");
  expect([...objects.keys()]).toEqual(["ab/1.kept/x"]);
});

test("a deletion that S3 refuses fails", async () => {
  await bucket.put("a/1.kept/x", parts("x"));
  s3.on(DeleteObjectsCommand).resolves({ Errors: [{ Message: "Denied" }] });
  await expect(bucket.remove("a/")).rejects.toThrow("1 files could not be deleted. The first: Denied");
});
