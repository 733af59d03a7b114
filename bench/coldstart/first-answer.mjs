// Stands in for Lambda's runtime: loads a bundle, hands it one event, and prints the time and the CPU time that this took since
// the process started. Plain JavaScript, as on Lambda, so that stripping types does not count.
import { createRequire } from "node:module";

const [bundle, eventJson] = process.argv.slice(2);

globalThis.awslambda = {
  streamifyResponse: (handler) => async (event, context) => {
    const { PassThrough } = process.getBuiltinModule("stream");
    const stream = new PassThrough();
    const chunks = stream.toArray();
    await handler(event, stream, context);
    await chunks;
    return stream.prelude;
  },
  HttpResponseStream: { from: (stream, prelude) => Object.assign(stream, { prelude }) },
};

const cpuMs = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
};
const startMs = performance.now();
// As Lambda's runtime does, too.
const { handler } = createRequire(import.meta.url)(bundle);
const loadMs = performance.now() - startMs;
const loadCpuMs = cpuMs();
let status;
if (eventJson) {
  const end = Date.now() + 60_000;
  const answer = await handler(JSON.parse(eventJson), {
    awsRequestId: "00000000-0000-4000-8000-000000000000",
    functionName: "bundle",
    functionVersion: "$LATEST",
    memoryLimitInMB: "512",
    invokedFunctionArn: "arn:aws:lambda:us-east-1:111122223333:function:bundle",
    getRemainingTimeInMillis: () => end - Date.now(),
  });
  status = answer.statusCode;
}
console.log(JSON.stringify({ status, loadMs, loadCpuMs, answerCpuMs: cpuMs() }));
// Connections that are kept open must not hold it.
process.exit(0);
