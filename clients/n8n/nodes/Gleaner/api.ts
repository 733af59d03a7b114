import { randomUUID } from "node:crypto";
import {
  type IDataObject,
  type IExecuteFunctions,
  type IHookFunctions,
  type IHttpRequestMethods,
  type ILoadOptionsFunctions,
  type INodePropertyOptions,
  type JsonObject,
  NodeApiError,
  NodeOperationError,
  sleep,
} from "n8n-workflow";
import { type Step, secondsToRetry } from "./mapping.ts";

type Context = IExecuteFunctions | IHookFunctions | ILoadOptionsFunctions;
interface Request {
  qs?: IDataObject;
  body?: IDataObject;
}

/** How often a request is repeated that the service could not answer at the moment. */
const ATTEMPTS = 6;
/** The pauses between two looks at a run or a batch, in ms: the first and the longest one. */
const POLL = { first: 500, longest: 5000 };
/** Rows in one response. */
const PAGE = 5000;

/** Sends a request, and repeats it while the service says so. A POST creates one thing, however often it is repeated. */
export async function call<T>(
  context: Context,
  method: IHttpRequestMethods,
  path: string,
  { qs, body }: Request = {},
): Promise<T> {
  const { baseUrl } = await context.getCredentials<{ baseUrl: string }>("gleanerApi");
  const headers = method === "POST" ? { "idempotency-key": randomUUID() } : {};
  for (let attempt = 0; ; attempt += 1) {
    const response = await context.helpers.httpRequestWithAuthentication.call(context, "gleanerApi", {
      method,
      url: `${baseUrl.replace(/\/$/, "")}/v1${path}`,
      headers,
      json: true,
      returnFullResponse: true,
      ignoreHttpStatusErrors: true,
      ...(qs && { qs }),
      ...(body && { body }),
    });
    if (response.statusCode < 300) return response.body as T;
    const seconds = secondsToRetry(response.statusCode, response.headers, attempt);
    if (seconds === undefined || attempt + 1 === ATTEMPTS) throw apiError(context, response);
    await sleep(seconds * 1000);
  }
}

function apiError(context: Context, response: { statusCode: number; headers: IDataObject; body: unknown }) {
  const { message = `The service answered with status ${response.statusCode}.` } = (response.body ?? {}) as {
    message?: string;
  };
  const id = response.headers["x-request-id"];
  return new NodeApiError(context.getNode(), (response.body ?? {}) as JsonObject, {
    message,
    httpCode: String(response.statusCode),
    ...(id !== undefined && { description: `x-request-id: ${id}` }),
  });
}

/** All items of a list of the API. */
export async function listAll<T>(
  context: Context,
  path: string,
  limit = Number.POSITIVE_INFINITY,
): Promise<T[]> {
  const found: T[] = [];
  for (let page: number | null = 1; page !== null && found.length < limit; ) {
    const answer: { data: T[]; next_page: number | null } = await call(context, "GET", path, {
      qs: { page },
    });
    found.push(...answer.data);
    page = answer.next_page;
  }
  return found.slice(0, limit);
}

/** The rows of a finished run or batch, or of what there is of it. */
export async function rowsOf(
  context: Context,
  path: string,
  limit = Number.POSITIVE_INFINITY,
): Promise<IDataObject[]> {
  const rows: IDataObject[] = [];
  while (rows.length < limit) {
    const size = Math.min(PAGE, limit - rows.length);
    const qs = { offset: rows.length, limit: size };
    const some = await call<IDataObject[]>(context, "GET", `${path}/rows`, { qs });
    rows.push(...some);
    if (some.length < size) break;
  }
  return rows;
}

interface Finished {
  status: string;
  error?: { code: string; message: string } | null;
}

/**
 * Waits until a run or a batch is no longer running.
 * @throws NodeOperationError if it fails, or takes longer than `minutes`
 */
export async function finished<T extends Finished>(
  context: IExecuteFunctions,
  path: string,
  { minutes, itemIndex }: { minutes: number; itemIndex: number },
): Promise<T> {
  const end = Date.now() + minutes * 60_000;
  for (let pause = POLL.first; ; pause = Math.min(pause * 1.5, POLL.longest)) {
    const found = await call<T>(context, "GET", path, { qs: { rows: false } });
    if (found.status === "failed") {
      const { code, message } = found.error ?? { code: "failed", message: `${path} has failed.` };
      throw new NodeOperationError(context.getNode(), message, { itemIndex, description: `Code: ${code}` });
    }
    if (found.status !== "running") return found;
    if (Date.now() > end) {
      const message = `${path} has not finished within ${minutes} minutes. It continues.`;
      throw new NodeOperationError(context.getNode(), message, { itemIndex });
    }
    await sleep(pause);
  }
}

/** The scrapers of the account, for a dropdown. */
export async function getScrapers(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
  const scrapers = await listAll<{ id: string; name: string }>(this, "/scrapers");
  return scrapers.map(({ id, name }) => ({ name, value: id, description: id }));
}

export const stepsOf = async (context: Context, scraperId: string): Promise<Step[]> =>
  (await call<{ steps: Step[] }>(context, "GET", `/scrapers/${encodeURIComponent(scraperId)}`)).steps;
