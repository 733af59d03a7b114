import { Agent as HttpAgent } from "node:http";
import { Agent as HttpsAgent } from "node:https";
import type { LookupFunction } from "node:net";
import type { S3Client } from "@aws-sdk/client-s3";
import type { DeliveryOf } from "../contract/scrapers/delivery.ts";
import { pinned, resolveChecked, systemLookups } from "../egress/connect/resolve.ts";
import { EgressError } from "../egress/egress-error.ts";
import { createPolicy } from "../egress/policy/address-policy.ts";
import { DeliveryFailure } from "./delivery.ts";
import type { DestinationDeps, NewFile, WriteFile } from "./destinations.ts";
import { secretFor } from "./secret-for.ts";

type S3 = DeliveryOf<"s3">;

/** S3 takes parts from 5 MB on, and at most 10,000 of them: files of up to 80 GB. */
const PART_BYTES = 8 * 1024 * 1024;
/** For one request. A part of this size takes less on any line that is worth it. */
const TIMEOUT_MS = 60_000;

/** A writer of files in a bucket. It holds one part of a file in memory. @throws DeliveryFailure, EgressError */
export async function s3Writer(
  deps: Pick<DestinationDeps, "readSecrets" | "egress">,
  account: string,
  settings: S3,
): Promise<WriteFile> {
  const { region, bucket, secret } = settings;
  const endpoint = new URL(settings.endpoint ?? `https://s3.${region}.${domainOf(region)}`);
  const key = await secretFor(deps.readSecrets, account, secret, endpoint.href);
  const [, accessKeyId = "", secretAccessKey = ""] = /^([^:\s]+):(\S+)$/.exec(key.trim()) ?? [];
  if (accessKeyId === "")
    throw new DeliveryFailure(
      `The secret "${secret}" must be the id of an access key, a colon, and its secret access key. Set it again.`,
    );
  const lookup = await checkedLookup(deps, endpoint);
  // Imported on first use, because most processes write to no bucket.
  const s3 = await import("@aws-sdk/client-s3");
  return async (file) => {
    const agent = { maxSockets: 1, lookup };
    const client = new s3.S3Client({
      region,
      endpoint: endpoint.href,
      forcePathStyle: true,
      credentials: { accessKeyId, secretAccessKey },
      // Services other than AWS know no checksums.
      requestChecksumCalculation: "WHEN_REQUIRED",
      responseChecksumValidation: "WHEN_REQUIRED",
      requestHandler: {
        httpAgent: new HttpAgent(agent),
        httpsAgent: new HttpsAgent(agent),
        requestTimeout: TIMEOUT_MS,
        connectionTimeout: TIMEOUT_MS / 4,
      },
    });
    try {
      await upload(s3, client, bucket, file);
    } catch (error) {
      file.signal.throwIfAborted();
      throw translated(error, settings);
    } finally {
      client.destroy();
    }
  };
}

const domainOf = (region: string) => (region.startsWith("cn-") ? "amazonaws.com.cn" : "amazonaws.com");

/** A lookup that gives the checked addresses of an endpoint, whose every request has the same host. */
async function checkedLookup(
  { egress }: Pick<DestinationDeps, "egress">,
  endpoint: URL,
): Promise<LookupFunction> {
  const { lookup = systemLookups, ...policy } = egress;
  return pinned(await resolveChecked(createPolicy(policy)(endpoint), lookup, TIMEOUT_MS / 4));
}

type Sdk = typeof import("@aws-sdk/client-s3");

/** Uploads a file, in parts if it is larger than one. */
async function upload(s3: Sdk, client: S3Client, Bucket: string, file: NewFile): Promise<void> {
  const { path: Key, contentType: ContentType, signal, beforeEnd } = file;
  const at = { Bucket, Key };
  const options = { abortSignal: signal };
  const parts = inParts(file.content);
  const first = await parts.next();
  const second = await parts.next();
  if (second.done) {
    await beforeEnd();
    const Body = first.done ? Buffer.alloc(0) : first.value;
    await client.send(new s3.PutObjectCommand({ ...at, Body, ContentType }), options);
    return;
  }
  const { UploadId } = await client.send(
    new s3.CreateMultipartUploadCommand({ ...at, ContentType }),
    options,
  );
  try {
    const Parts: { PartNumber: number; ETag: string | undefined }[] = [];
    const put = async (Body: Buffer) => {
      const PartNumber = Parts.length + 1;
      const part = new s3.UploadPartCommand({ ...at, UploadId, PartNumber, Body });
      const { ETag } = await client.send(part, options);
      Parts.push({ PartNumber, ETag });
    };
    await put(first.value as Buffer);
    await put(second.value);
    for await (const part of parts) await put(part);
    await beforeEnd();
    const complete = { ...at, UploadId, MultipartUpload: { Parts } };
    await client.send(new s3.CompleteMultipartUploadCommand(complete), options);
  } catch (error) {
    // What stays behind costs storage, but nobody sees it.
    await client.send(new s3.AbortMultipartUploadCommand({ ...at, UploadId })).catch(() => {});
    throw error;
  }
}

async function* inParts(content: AsyncIterable<string | Buffer>): AsyncGenerator<Buffer, void> {
  let pieces: Buffer[] = [];
  let length = 0;
  for await (const piece of content) {
    const bytes = Buffer.from(piece as string);
    pieces.push(bytes);
    length += bytes.length;
    if (length < PART_BYTES) continue;
    yield Buffer.concat(pieces);
    pieces = [];
    length = 0;
  }
  if (length > 0) yield Buffer.concat(pieces);
}

/** Errors of the service by their codes, with what a person can do. Never what the service quotes of the request. */
function translated(error: unknown, { bucket, secret, region }: S3): unknown {
  if (error instanceof DeliveryFailure || error instanceof EgressError) return error;
  const {
    name = "",
    code,
    $metadata,
  } = error as {
    name?: string;
    code?: string;
    $metadata?: { httpStatusCode?: number };
  };
  const status = $metadata?.httpStatusCode;
  const advice: Record<string, string> = {
    NoSuchBucket: `There is no bucket ${bucket}. Create it, or correct the destination.`,
    AccessDenied: `The access key in the secret "${secret}" may not write to the bucket ${bucket}. It needs s3:PutObject and s3:AbortMultipartUpload.`,
    InvalidAccessKeyId: `The service does not know the access key in the secret "${secret}". Set it again.`,
    SignatureDoesNotMatch: `The secret access key in the secret "${secret}" is wrong. Set it again.`,
    PermanentRedirect: `The bucket ${bucket} is not in the region ${region}. Correct the region.`,
    AuthorizationHeaderMalformed: `The bucket ${bucket} is not in the region ${region}. Correct the region.`,
  };
  if (name in advice) return new DeliveryFailure(advice[name] as string);
  // A fault of reading the rows, such as of the table, is not one of the destination.
  if (status === undefined && code === undefined && name !== "TimeoutError") return error;
  return new DeliveryFailure(
    status === undefined
      ? `The service did not answer: ${code ?? "timeout"}.`
      : `The service refused the file with ${status} ${name}.`,
  );
}
