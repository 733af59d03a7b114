import httpUrlencodeBodyParser from "@middy/http-urlencode-body-parser";
import type { Route } from "../contract/route.ts";
import { HttpError } from "./http-error.ts";
import { expandBrackets, FORM_TYPE, numberObjects } from "./parse-form.ts";
import type { ApiEvent, ApiMiddleware } from "./types.ts";

/** The largest body of a route that sets no limit of its own. */
export const MAX_BODY_BYTES = 1_000_000;
const JSON_TYPE = "application/json";

/** A file that a client sends as the body of a request. */
export class Upload {
  /** Its media type, one of those of the route. */
  readonly type: string;
  /** The encoding that the client states. */
  readonly charset: string | undefined;
  readonly bytes: Buffer;

  constructor(type: string, charset: string | undefined, bytes: Buffer) {
    this.type = type;
    this.charset = charset;
    this.bytes = bytes;
  }
}

/**
 * Middlewares that parse `event.body`: JSON, or a form if the route accepts forms. A form becomes the object that a
 * JSON body would be. A file becomes an `Upload`. They throw HttpError 400, 413 or 415.
 */
export const parseBody = ({
  form,
  uploads = [],
  maxBodyBytes = MAX_BODY_BYTES,
}: Pick<Route, "form" | "uploads" | "maxBodyBytes">): ApiMiddleware[] => [
  readText({ texts: form ? [FORM_TYPE, JSON_TYPE] : [JSON_TYPE], uploads, maxBodyBytes }),
  numberObjects(),
  httpUrlencodeBodyParser({ disableContentTypeError: true }) as unknown as ApiMiddleware,
  expandBrackets(),
  parseJson(),
];

interface Accepted {
  /** Media types that are decoded to text. */
  texts: readonly string[];
  uploads: readonly string[];
  maxBodyBytes: number;
}

/** Decodes the body to text, unless it is a file, and reduces the content type to its media type. */
const readText = ({ texts, uploads, maxBodyBytes }: Accepted): ApiMiddleware => ({
  before: async ({ event }) => {
    const encoding = event.headers["content-encoding"]?.trim().toLowerCase() ?? "";
    if (encoding !== "" && encoding !== "identity") {
      throw new HttpError(415, "Send the body without compression.", {
        headers: { "accept-encoding": "identity" },
      });
    }
    const bytes = await readBytes(event, maxBodyBytes);
    const { type, charset } = mediaTypeOf(event.headers["content-type"] ?? "", [...texts, ...uploads]);
    event.headers["content-type"] = type;
    event.body = uploads.includes(type) ? new Upload(type, charset, bytes) : decode(bytes, charset);
    event.isBase64Encoded = false;
  },
});

/** The bytes of the body, which is a string on AWS, and a stream in the local service. */
async function readBytes({ body, isBase64Encoded }: ApiEvent, maxBytes: number): Promise<Buffer> {
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
      if (bytes > maxBytes) throw new HttpError(413, `The body is larger than ${maxBytes} bytes.`);
      read.push(piece);
    }
  } catch (cause) {
    if (cause instanceof HttpError) throw cause;
    throw new HttpError(400, "The body did not arrive as a whole.", { cause });
  }
  return Buffer.concat(read);
}

/** Other names of media types. */
const ALIASES: Record<string, string> = {
  "application/x-ndjson": "application/jsonl",
  "application/x-jsonlines": "application/jsonl",
  "application/jsonlines": "application/jsonl",
};

function mediaTypeOf(contentType: string, types: readonly string[]): { type: string; charset?: string } {
  const [mediaType = "", ...parameters] = contentType
    .toLowerCase()
    .split(";")
    .map((part) => part.trim());
  const charset = parameters
    .find((text) => text.startsWith("charset="))
    ?.slice("charset=".length)
    .replaceAll('"', "");
  const type = ALIASES[mediaType] ?? mediaType;
  if (!types.includes(type))
    throw new HttpError(415, `Send the body as ${types.join(" or ")}, and set Content-Type to match.`);
  return { type, ...(charset !== undefined && { charset }) };
}

function decode(bytes: Buffer, charset: string | undefined): string {
  if (charset !== undefined && !/^utf-?8$/.test(charset))
    throw new HttpError(415, "The body must be encoded as UTF-8.");
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
