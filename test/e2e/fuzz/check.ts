import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { openApi, operations } from "../openapi.ts";
import type { Received } from "../send.ts";

const ajv = new Ajv2020({ strict: false });
// The package is CommonJS: what it exports is below `default` there.
(addFormats as unknown as typeof addFormats.default)(ajv);
ajv.addSchema(openApi, "openapi");

const pointer = (...parts: string[]) =>
  `openapi#/${parts.map((part) => encodeURIComponent(part.replaceAll("~", "~0").replaceAll("/", "~1"))).join("/")}`;
const isError = ajv.compile({ $ref: pointer("components", "schemas", "Error") });
const isAnswer = new Map(
  operations.flatMap(({ operationId, path, method, responses }) =>
    Object.entries(responses).map(([status, { content }]) => [
      `${operationId} ${status}`,
      content?.["application/json"] &&
        ajv.compile({
          $ref: pointer(
            "paths",
            path,
            method.toLowerCase(),
            "responses",
            status,
            "content",
            "application/json",
            "schema",
          ),
        }),
    ]),
  ),
);

/** Media types of answers that no schema describes. */
const fileTypes = new Map(
  operations.flatMap(({ operationId, responses }) =>
    Object.entries(responses).map(([status, { content = {} }]) => [
      `${operationId} ${status}`,
      Object.keys(content).filter((type) => type !== "application/json"),
    ]),
  ),
);

const anyFileType = new Set([...fileTypes.values()].flat());

/** MCP answers with errors of its own, as JSON-RPC has them. */
const isProtocolError = ({ jsonrpc, error }: Record<string, unknown>) =>
  jsonrpc === "2.0" && typeof (error as { code?: unknown } | undefined)?.code === "number";

/** The local gateway's answer to a request with another origin, which no operation describes. */
const isFromWebPage = ({ status, text }: Received) => status === 403 && text.includes("other origins");

/**
 * What is wrong with an answer; undefined: nothing. Of an operation (where it is known which) it has to be one that the
 * OpenAPI document describes; any other has to be an error of ours.
 */
export function faultOf(
  received: Received,
  operationId: string | undefined,
  method = "GET",
): string | undefined {
  const { status, headers, text } = received;
  if (status >= 500) return `${status}: ${text.slice(0, 200)}`;
  const answer = `${operationId} ${status}`;
  const files = fileTypes.get(answer) ?? [];
  const type = String(headers["content-type"]);
  if (files.includes(type)) return undefined;
  // One of several requests on a connection: which one is not known here.
  const isEmpty = status === 204 && text === "";
  if (operationId === undefined && (isEmpty || (status === 200 && anyFileType.has(type)))) return undefined;
  if (isAnswer.has(answer) && isAnswer.get(answer) === undefined)
    return text === "" ? undefined : `${answer} has a body`;
  if (headers["content-type"] !== "application/json") return `content-type ${headers["content-type"]}`;
  if (method === "HEAD") return text === "" ? undefined : "a body for HEAD";
  let body: Record<string, unknown>;
  try {
    body = JSON.parse(text);
  } catch {
    return `no JSON: ${text.slice(0, 200)}`;
  }
  if ((operationId ?? "callMcp") === "callMcp" && status === 400 && isProtocolError(body)) return undefined;
  if (status >= 400) {
    if (!isError(body)) return `not our shape: ${ajv.errorsText(isError.errors)}`;
    const { message, errors, ...more } = body;
    if (typeof message !== "string" || message.trim() === "") return "no message";
    if (errors !== undefined && status !== 400) return `problems in a ${status}`;
    if (Object.keys(more).length > 0) return `more than our shape: ${Object.keys(more)}`;
    if (text.length > 100_000) return `an error of ${text.length} characters`;
    if (!headers["x-request-id"]) return "no x-request-id";
  }
  if (operationId === undefined || isFromWebPage(received)) return undefined;
  const validate = isAnswer.get(answer);
  if (validate === undefined) return `${operationId} has no answer ${status}: ${text.slice(0, 200)}`;
  return validate(body) ? undefined : `${answer}: ${ajv.errorsText(validate.errors)}`;
}
