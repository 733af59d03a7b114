import { HttpError } from "./http-error.ts";
import { parseForm } from "./parse-form.ts";

const MAX_BODY_BYTES = 1_000_000;

/** The parts of an API Gateway event that hold the body. */
export interface RawBody {
  body: string | null;
  isBase64Encoded: boolean;
}

/**
 * The body as the contract's schemas take it: JSON as it is, a form as the object that its fields spell.
 * @throws HttpError 400, 413 or 415
 */
export function parseBody(contentType: string | undefined, raw: RawBody): unknown {
  const bytes = Buffer.from(raw.body ?? "", raw.isBase64Encoded ? "base64" : "utf8");
  if (bytes.length > MAX_BODY_BYTES) {
    throw new HttpError(413, `The body is larger than ${MAX_BODY_BYTES} bytes.`);
  }
  const [mediaType = "", ...parameters] = (contentType ?? "").toLowerCase().split(";");
  const charset = parameters.map((text) => text.trim()).find((text) => text.startsWith("charset="));
  if (charset !== undefined && !/^charset="?utf-?8"?$/.test(charset)) {
    throw new HttpError(415, "The body has to be encoded as UTF-8.");
  }
  switch (mediaType.trim()) {
    case "application/json":
      return parseJson(decode(bytes));
    case "application/x-www-form-urlencoded":
      return parseForm(decode(bytes));
    default:
      throw new HttpError(
        415,
        "Send the body as application/x-www-form-urlencoded or application/json, and say so in Content-Type.",
      );
  }
}

function decode(bytes: Buffer): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: false }).decode(bytes);
  } catch (cause) {
    throw new HttpError(400, "The body is not valid UTF-8.", { cause });
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new HttpError(400, `The body is not valid JSON: ${(cause as Error).message}`, { cause });
  }
}
