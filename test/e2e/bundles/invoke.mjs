// Stands in for Lambda's runtime: loads the bundle of LAMBDA_TASK_ROOT, hands it one event, and writes what it answers.
// Plain JavaScript without imports from the project, as it is copied to where the bundle alone is.
import { access, constants, writeFile } from "node:fs/promises";
import { join } from "node:path";

const [eventJson, answerFile, timeoutMs] = process.argv.slice(2);
const taskRoot = process.env.LAMBDA_TASK_ROOT;

/** The streaming half of the runtime: what a handler writes is collected, as the client would get it. */
globalThis.awslambda = {
  streamifyResponse: (handler) => async (event, context) => {
    const { PassThrough } = await import("node:stream");
    const stream = new PassThrough();
    const chunks = stream.toArray();
    await handler(event, stream, context);
    return { ...stream.prelude, body: Buffer.concat(await chunks).toString("base64") };
  },
  HttpResponseStream: { from: (stream, prelude) => Object.assign(stream, { prelude }) },
};

const writable = (path) =>
  access(path, constants.W_OK).then(
    () => true,
    () => false,
  );
const start = Date.now();
const { handler } = await import(join(taskRoot, "index.js"));
const answer = await handler(JSON.parse(eventJson), {
  awsRequestId: "00000000-0000-4000-8000-000000000000",
  functionName: "bundle",
  functionVersion: "$LATEST",
  memoryLimitInMB: "2048",
  invokedFunctionArn: "arn:aws:lambda:us-east-1:111122223333:function:bundle",
  getRemainingTimeInMillis: () => start + Number(timeoutMs) - Date.now(),
});
const surroundings = {
  home: process.env.HOME ?? null,
  uid: process.getuid(),
  taskRootWritable: await writable(taskRoot),
  workingFolderWritable: await writable(process.cwd()),
};
await writeFile(answerFile, JSON.stringify({ answer, surroundings }));
// The sandbox is frozen here, not ended: connections that are kept open must not hold it.
process.exit(0);
