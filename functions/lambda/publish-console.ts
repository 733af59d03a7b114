import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { DeleteObjectsCommand, ListObjectsV2Command, PutObjectCommand, S3Client } from "@aws-sdk/client-s3";
import middy from "@middy/core";
import type { CloudFormationCustomResourceEvent, CloudFormationCustomResourceResponse } from "aws-lambda";
import * as v from "valibot";
import { INDEX } from "../../console/build/files.ts";
import { headersOf } from "../../console/build/headers.ts";
import { clientOptions } from "./bindings/client-options.ts";
import { taskRoot } from "./bindings/environment.ts";
import { log, observers } from "./bindings/observe.ts";
import { once } from "./bindings/once.ts";
import { traced } from "./bindings/x-ray.ts";

const s3 = once(() => traced(new S3Client(clientOptions)));

const Properties = v.object({ Bucket: v.string() });

/** Maximum length of a reason. CloudFormation refuses responses of more than 4,096 bytes. */
const MAX_REASON = 1_000;
const RESPONSE_TIMEOUT_MS = 10_000;

/**
 * A custom resource of CloudFormation. Copies the files of the console to their bucket, or empties the bucket before it
 * is deleted. CloudFormation waits for the response at the address in the event.
 */
export const handler = middy(async (event: CloudFormationCustomResourceEvent) => {
  const { Bucket } = v.parse(Properties, event.ResourceProperties);
  const outcome = await (event.RequestType === "Delete" ? empty(Bucket) : publish(Bucket)).then(
    () => ({ Status: "SUCCESS" as const }),
    (error: unknown) => {
      log.error("The console's files could not be changed", { error });
      return { Status: "FAILED" as const, Reason: String(error).slice(0, MAX_REASON) };
    },
  );
  const { StackId, RequestId, LogicalResourceId } = event;
  await respond(event.ResponseURL, {
    ...outcome,
    StackId,
    RequestId,
    LogicalResourceId,
    PhysicalResourceId: Bucket,
  } as CloudFormationCustomResourceResponse);
}).use(observers);

/** Uploads all files. Those of earlier versions stay, because pages that are open may still load them. */
async function publish(bucket: string): Promise<void> {
  const folder = join(taskRoot(), "console");
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(folder.length + 1));
  const put = async (path: string) => {
    const headers = headersOf(path);
    await s3().send(
      new PutObjectCommand({
        Bucket: bucket,
        Key: path,
        Body: await readFile(join(folder, path)),
        ContentType: headers["content-type"],
        CacheControl: headers["cache-control"],
      }),
    );
  };
  await Promise.all(paths.filter((path) => path !== INDEX).map(put));
  // The index refers to the other files, so they must exist first.
  await put(INDEX);
}

async function empty(bucket: string): Promise<void> {
  for (;;) {
    const { Contents = [] } = await s3().send(new ListObjectsV2Command({ Bucket: bucket }));
    if (Contents.length === 0) return;
    const Objects = Contents.map(({ Key }) => ({ Key }));
    const { Errors: [error] = [] } = await s3().send(
      new DeleteObjectsCommand({ Bucket: bucket, Delete: { Objects, Quiet: true } }),
    );
    if (error !== undefined) throw new Error(`${error.Key} can't be deleted: ${error.Message}`);
  }
}

/** @throws if CloudFormation does not accept the response. Lambda then calls the function again. */
async function respond(url: string, response: CloudFormationCustomResourceResponse): Promise<void> {
  const { ok, status } = await fetch(url, {
    method: "PUT",
    // For a string, fetch would add a Content-Type, but the address is signed for a request without one.
    body: Buffer.from(JSON.stringify(response)),
    signal: AbortSignal.timeout(RESPONSE_TIMEOUT_MS),
  });
  if (!ok) throw new Error(`CloudFormation refused the response: ${status}.`);
}
