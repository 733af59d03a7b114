// Loaded by each function's Node.js in MiniStack, which lacks two things of Lambda's runtime, and permissions.
import { chmodSync, globSync } from "node:fs";
import { PassThrough } from "node:stream";

// Its unzip drops the modes of files.
for (const browser of globSync(`${process.env.LAMBDA_TASK_ROOT ?? "."}/chromium-*/chromium`))
  chmodSync(browser, 0o755);

// A proxy judges each call by the policies of the function that makes it. The access key says which one that is.
process.env.AWS_ACCESS_KEY_ID = process.env.AWS_LAMBDA_FUNCTION_NAME;
process.env.AWS_ENDPOINT_URL = process.env.GLEANER_PERMISSION_PROXY;

// It has no streamed responses.
globalThis.awslambda = {
  streamifyResponse: (handler) => async (event, context) => {
    const stream = new PassThrough();
    const chunks = stream.toArray();
    await handler(event, stream, context);
    return { ...stream.prelude, body: Buffer.concat(await chunks).toString("base64"), isBase64Encoded: true };
  },
  HttpResponseStream: { from: (stream, prelude) => Object.assign(stream, { prelude }) },
};
