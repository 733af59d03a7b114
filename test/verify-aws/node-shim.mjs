// Loaded by each function's Node.js in MiniStack, which lacks two things of Lambda's runtime.
import { chmodSync, globSync } from "node:fs";
import { PassThrough } from "node:stream";

// Its unzip drops the modes of files.
for (const browser of globSync(`${process.env.LAMBDA_TASK_ROOT ?? "."}/chromium-*/chromium`))
  chmodSync(browser, 0o755);

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
