import { randomUUID } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import {
  DeleteObjectsCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  type S3Client,
} from "@aws-sdk/client-s3";
import { FileMissing, type FileStore } from "./files.ts";

/** The bucket with the files of runs. Its lifecycle rule deletes those of runs that expire. */
export interface Bucket {
  s3: S3Client;
  /** Returns its name, when it is needed. */
  name: () => string;
}

/** A place for files in a bucket. */
export const filesBucket = (bucket: () => Bucket): FileStore => ({
  put: putIntoBucket(bucket),
  read: readFromBucket(bucket),
  remove: removeFromBucket(bucket),
});

// Each is separate, so that the code of a function has only what it has permission for.

export const putIntoBucket =
  (bucket: () => Bucket): FileStore["put"] =>
  async (Key, content) => {
    const { s3, name } = bucket();
    // S3 has to know the size first.
    const path = join(tmpdir(), `gleaner-file-${randomUUID()}`);
    try {
      await pipeline(content, createWriteStream(path, { mode: 0o600 }));
      const { size: ContentLength } = await stat(path);
      const Body = createReadStream(path);
      await s3.send(new PutObjectCommand({ Bucket: name(), Key, Body, ContentLength }));
    } finally {
      await rm(path, { force: true });
    }
  };

export const readFromBucket =
  (bucket: () => Bucket): FileStore["read"] =>
  async (Key) => {
    const { s3, name } = bucket();
    try {
      const { Body } = await s3.send(new GetObjectCommand({ Bucket: name(), Key }));
      return Body as Readable;
    } catch (cause) {
      // Without permission to list the bucket, S3 answers so for an object that does not exist.
      if (!["NoSuchKey", "AccessDenied"].includes((cause as Error).name)) throw cause;
      throw new FileMissing(`There is no file ${Key}.`, { cause });
    }
  };

export const removeFromBucket =
  (bucket: () => Bucket): FileStore["remove"] =>
  async (Prefix) => {
    const { s3, name } = bucket();
    for (;;) {
      const listed = await s3.send(new ListObjectsV2Command({ Bucket: name(), Prefix }));
      const Objects = (listed.Contents ?? []).map(({ Key }) => ({ Key }));
      if (Objects.length === 0) return;
      const deletion = { Bucket: name(), Delete: { Objects, Quiet: true } };
      const { Errors = [] } = await s3.send(new DeleteObjectsCommand(deletion));
      const [first] = Errors;
      if (first) throw new Error(`${Errors.length} files could not be deleted. The first: ${first.Message}`);
    }
  };
