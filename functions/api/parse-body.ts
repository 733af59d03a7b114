import httpUrlencodeBodyParser from "@middy/http-urlencode-body-parser";
import type { Route } from "../contract/route.ts";
import { HttpError } from "./http-error.ts";
import { expandBrackets, FORM_TYPE, numberObjects } from "./parse-form.ts";
import type { ApiEvent, ApiMiddleware } from "./types.ts";

export const MAX_BODY_BYTES = 1_000_000;
const JSON_TYPE = "application/json";

/**
 * Middlewares that parse `event.body`: JSON, or a form if the route accepts forms. A form becomes the object that a
 * JSON body would be. They throw HttpError 400, 413 or 415.
 */
export const parseBody = ({ form }: Pick<Route, "form">): ApiMiddleware[] => [
  readText(form ? [FORM_TYPE, JSON_TYPE] : [JSON_TYPE]),
  numberObjects(),
  httpUrlencodeBodyParser({ disableContentTypeError: true }) as unknown as ApiMiddleware,
  expandBrackets(),
  parseJson(),
];

/** Decodes the body to text, and reduces the content type to its media type. */
const readText = (types: readonly string[]): ApiMiddleware => ({
  before: async ({ event }) => {
    const encoding = event.headers["content-encoding"]?.trim().toLowerCase() ?? "";
    if (encoding !== "" && encoding !== "identity") {
      throw new HttpError(415, "Send the body without compression.", {
        headers: { "accept-encoding": "identity" },
      });
    }
    const bytes = await readBytes(event);
    event.headers["content-type"] = mediaTypeOf(event.headers["content-type"] ?? "", types);
    event.body = decode(bytes);
    event.isBase64Encoded = false;
  },
});

/** The bytes of the body, which is a string on AWS, and a stream in the local service. */
async function readBytes({ body, isBase64Encoded }: ApiEvent): Promise<Buffer> {
  const isStream = typeof body === "object" && body !== null && Symbol.asyncIterator in body;
  const encoding = isBase64Encoded ? "base64" : "utf8";
  const pieces = isStream
    ? (body as AsyncIterable<Buffer>)
    : [Buffer.from((body as string | null) ?? "", encoding)];
  const read: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const piece of pieces) {
      bytes += piece.length;
      if (bytes > MAX_BODY_BYTES)
        throw new HttpError(413, `The body is larger than ${MAX_BODY_BYTES} bytes.`);
      read.push(piece);
    }
  } catch (cause) {
    if (cause instanceof HttpError) throw cause;
    throw new HttpError(400, "The body did not arrive as a whole.", { cause });
  }
  return Buffer.concat(read);
}

function mediaTypeOf(contentType: string, types: readonly string[]): string {
  const [mediaType = "", ...parameters] = contentType
    .toLowerCase()
    .split(";")
    .map((part) => part.trim());
  const charset = parameters.find((text) => text.startsWith("charset="));
  if (charset !== undefined && !/^charset="?utf-?8"?$/.test(charset)) {
    throw new HttpError(415, "The body must be encoded as UTF-8.");
  }
  if (!types.includes(mediaType))
    throw new HttpError(415, `Send the body as ${types.join(" or ")}, and set Content-Type to match.`);
  return mediaType;
}

function decode(bytes: Buffer): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: false }).decode(bytes);
  } catch (cause) {
    throw new HttpError(400, "The body is not valid UTF-8.", { cause });
  }
}

const parseJson = (): ApiMiddleware => ({
  before: ({ event }) => {
    if (event.headers["content-type"] !== JSON_TYPE) return;
    try {
      event.body = JSON.parse(event.body as string);
    } catch (cause) {
      throw new HttpError(400, `The body is not valid JSON: ${(cause as Error).message}`, { cause });
    }
  },
});
