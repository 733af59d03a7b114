import { randomBytes } from "node:crypto";
import { createSocket, type Socket } from "node:dgram";
import type middy from "@middy/core";
import type { OnStage } from "../../stages.ts";
import { isTracing, nameOfHandler, serviceName, traceHeader, xRayDaemon } from "./environment.ts";

/**
 * Sends traces of executions and of their calls to AWS services to X-Ray, if Lambda samples the execution. AWS's own
 * SDK is not used: it takes a fifth of the CPU time before a function's first response, and its asynchronous hooks slow
 * down each promise.
 */

/** https://docs.aws.amazon.com/xray/latest/devguide/xray-api-segmentdocuments.html */
interface Subsegment {
  id: string;
  name: string;
  parent_id: string;
  trace_id: string;
  /** In seconds since the epoch. */
  start_time: number;
}

/** The part of a call that a middleware of the AWS SDK uses here. */
interface Call {
  input: Record<string, unknown>;
  request: { headers: Record<string, string> };
}
interface Metadata {
  requestId?: string;
  httpStatusCode?: number;
  attempts?: number;
}
type Send = (call: Call) => Promise<{ output: { $metadata: Metadata } }>;
type Middleware = (send: Send, context: { clientName: string; commandName: string }) => Send;

/** The part of a client of the AWS SDK that this module uses. */
interface Client {
  config: { region: () => Promise<string> };
  middlewareStack: { add(middleware: Middleware, options: { step: "build"; name: string }): void };
}

/** Inputs of calls that name a resource, and the names of these resources in a subsegment. */
const RESOURCES = { TableName: "table_name", QueueUrl: "queue_url", FunctionName: "function_name" } as const;
const THROTTLED = /Throttl|TooManyRequests|ProvisionedThroughputExceeded|RequestLimitExceeded/;

/** The subsegment of the handler that runs. Lambda gives a process only one event at a time. */
let handling: Subsegment | undefined;
/** Whether this process has handled nothing yet, and whether that was so for the handler that runs. */
let isNew = true;
let isColdStart = false;
let socket: Socket | undefined;

const seconds = () => Date.now() / 1_000;

/** Begins a subsegment; undefined if the execution is not sampled. `startTime` is in seconds since the epoch. */
function begin(name: string, startTime = seconds()): Subsegment | undefined {
  const fields = new Map(
    traceHeader()
      .split(";")
      .map((part) => part.split("=") as [string, string]),
  );
  const [root, parent] = [fields.get("Root"), handling?.id ?? fields.get("Parent")];
  if (root === undefined || parent === undefined || fields.get("Sampled") !== "1") return undefined;
  const id = randomBytes(8).toString("hex");
  return { id, name, parent_id: parent, trace_id: root, start_time: startTime };
}

/** Sends a subsegment to the X-Ray daemon by UDP. Errors are ignored, because traces are not essential. */
function end(subsegment: Subsegment, more: object = {}): void {
  const [host, port] = xRayDaemon().split(":");
  if (socket === undefined) {
    socket = createSocket("udp4");
    socket.on("error", () => {});
    socket.unref();
  }
  const document = JSON.stringify({ ...subsegment, type: "subsegment", end_time: seconds(), ...more });
  socket.send(`{"format":"json","version":1}\n${document}`, Number(port), host, () => {});
}

/** Describes an error by its type only, because the message may contain private data. The log has it, redacted. */
function failureOf(error: unknown, status: number | undefined): object {
  const type = error instanceof Error ? error.name : typeof error;
  const exceptions = [{ id: randomBytes(8).toString("hex"), type }];
  const isTheirs = status !== undefined && status >= 400 && status < 500;
  return {
    [isTheirs ? "error" : "fault"]: true,
    ...((status === 429 || THROTTLED.test(type)) && { throttle: true }),
    cause: { working_directory: "", exceptions },
  };
}

/** Makes a client of the AWS SDK trace its calls. Returns the same client. */
export function traced<T extends object>(client: T): T {
  const { config, middlewareStack } = client as unknown as Client;
  const middleware: Middleware =
    (send, { clientName, commandName }) =>
    async (call) => {
      const subsegment = begin(clientName.replace(/Client$/, ""));
      if (subsegment === undefined) return send(call);
      call.request.headers["X-Amzn-Trace-Id"] = traceHeader().replace(
        /Parent=[^;]*/,
        `Parent=${subsegment.id}`,
      );
      const region = await config.region();
      const finish = ({ requestId, httpStatusCode, attempts = 1 }: Metadata, failure: object = {}) => {
        const resources = Object.entries(RESOURCES).flatMap(([input, name]) => {
          const value = call.input[input];
          return value === undefined ? [] : [[name, value]];
        });
        end(subsegment, {
          namespace: "aws",
          aws: {
            operation: commandName.replace(/Command$/, ""),
            region,
            request_id: requestId,
            retries: attempts - 1,
            ...Object.fromEntries(resources),
          },
          ...(httpStatusCode !== undefined && { http: { response: { status: httpStatusCode } } }),
          ...failure,
        });
      };
      try {
        const result = await send(call);
        finish(result.output.$metadata);
        return result;
      } catch (error) {
        const { $metadata = {} } = error as { $metadata?: Metadata };
        finish($metadata, failureOf(error, $metadata.httpStatusCode));
        throw error;
      }
    };
  middlewareStack.add(middleware, { step: "build", name: "gleanerTrace" });
  return client;
}

function endHandling(failure: object = {}): void {
  if (handling === undefined) return;
  const subsegment = handling;
  handling = undefined;
  end(subsegment, { annotations: { ColdStart: isColdStart, Service: serviceName() }, ...failure });
}

/** A middleware that traces the handler. The trace does not contain the event and the response. */
export const traceHandler: middy.MiddlewareObj = {
  before: () => {
    isColdStart = isNew;
    isNew = false;
    handling = undefined;
    handling = begin(`## ${nameOfHandler()}`);
  },
  after: () => endHandling(),
  onError: ({ error }) => endHandling(failureOf(error, (error as { status?: number } | null)?.status)),
};

/** Traces a stage that has just ended, and took `ms` milliseconds. */
function traceStage(name: string, ms: number): void {
  const subsegment = begin(name, seconds() - ms / 1_000);
  if (subsegment) end(subsegment);
}

/** Traces each stage as a subsegment; undefined if GLEANER_TRACE is not set to 1. */
export const stageTracer = (): OnStage | undefined => (isTracing() ? traceStage : undefined);
