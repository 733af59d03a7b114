import { createHash, sign } from "node:crypto";
import { createPoster, type PosterOptions } from "../../egress/requests/post-json.ts";
import { DeliveryFailure } from "../delivery.ts";
import type { ServiceAccount } from "./service-account.ts";

/** The API that a delivery calls as a service account. */
export interface Google {
  /** The size of a request, about. */
  requestBytes: number;
  /**
   * A request to the Sheets API, and its answer. `path` follows `/v4/spreadsheets/`. A request without a body is a GET.
   * @throws GoogleError, DeliveryFailure or EgressError
   */
  call(account: ServiceAccount, path: string, body?: unknown): Promise<unknown>;
}

/** Google refused a request. The message is Google's. */
export class GoogleError extends DeliveryFailure {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** Where Google's API is, and the size of requests that Google recommends at most. */
const GOOGLE = {
  sheets: "https://sheets.googleapis.com",
  tokens: "https://oauth2.googleapis.com/token",
  requestBytes: 2_000_000,
};
const SCOPE = "https://www.googleapis.com/auth/spreadsheets";
/** Google ends requests after 180 s. */
const TIMEOUT_MS = 200_000;
/** The key columns of a million rows have about this size. A larger answer would take too much memory. */
const MAX_RESPONSE_BYTES = 64 * 1024 * 1024;
/** Google gives tokens for at most an hour. */
const TOKEN_SECONDS = 3600;
/** A token that is about to expire is not used, because a request may take long. */
const SPARE_MS = 5 * 60_000;
const TOKENS_MAX = 1_000;

/** `google`: another one for tests. The tokens of accounts are kept until they expire. */
export function createGoogle(egress: PosterOptions, google = GOOGLE, now = () => new Date()): Google {
  const post = createPoster(egress);
  const tokens = new Map<string, { token: string; until: number }>();
  const send = async (url: string, headers: Record<string, string>, body: string | undefined) => {
    const { status, body: text } = await post(url, {
      ...(body === undefined && { method: "GET" }),
      headers: { accept: "application/json", ...headers },
      body: body ?? "",
      timeoutMs: TIMEOUT_MS,
      maxResponseBytes: MAX_RESPONSE_BYTES,
    });
    return { status, answer: parsed(text) };
  };
  const tokenFor = async (account: ServiceAccount, id: string): Promise<string> => {
    const time = now().getTime();
    const known = tokens.get(id);
    if (known !== undefined && known.until > time) return known.token;
    const form = new URLSearchParams({
      grant_type: "urn:ietf:params:oauth:grant-type:jwt-bearer",
      assertion: assertionOf(account, google.tokens, Math.floor(time / 1000)),
    });
    const headers = { "content-type": "application/x-www-form-urlencoded" };
    const { status, answer } = await send(google.tokens, headers, form.toString());
    const { access_token: token, expires_in = 0, error, error_description } = answer as TokenAnswer;
    if (token === undefined) throw refusedKey(status, error_description ?? error);
    tokens.delete(tokens.size < TOKENS_MAX ? id : (tokens.keys().next().value as string));
    tokens.set(id, { token, until: time + expires_in * 1000 - SPARE_MS });
    return token;
  };
  return {
    requestBytes: google.requestBytes,
    async call(account, path, body) {
      const id = createHash("sha256").update(JSON.stringify(account)).digest("base64url");
      const headers = {
        authorization: `Bearer ${await tokenFor(account, id)}`,
        ...(body !== undefined && { "content-type": "application/json" }),
      };
      const url = `${google.sheets}/v4/spreadsheets/${path}`;
      const { status, answer } = await send(
        url,
        headers,
        body === undefined ? undefined : JSON.stringify(body),
      );
      const { error } = answer as ApiAnswer;
      if (status === 200 && error === undefined) return answer;
      if (status === 401) tokens.delete(id);
      throw new GoogleError(status, error?.message ?? "");
    },
  };
}

interface TokenAnswer {
  access_token?: string;
  /** In seconds. */
  expires_in?: number;
  error?: string;
  error_description?: string;
}

interface ApiAnswer {
  error?: { message?: string };
}

/** An answer that is no JSON, such as one that was cut short, is an error. */
function parsed(text: string): object {
  try {
    return JSON.parse(text) ?? {};
  } catch {
    return { error: { message: "Its answer is not complete." } };
  }
}

/** The claim of a service account, as RFC 7523 and Google's OAuth 2.0 for service accounts describe it. */
function assertionOf({ email, keyId, key }: ServiceAccount, audience: string, time: number): string {
  const header = { alg: "RS256", typ: "JWT", ...(keyId !== undefined && { kid: keyId }) };
  const claims = { iss: email, scope: SCOPE, aud: audience, iat: time, exp: time + TOKEN_SECONDS };
  const text = [header, claims]
    .map((part) => Buffer.from(JSON.stringify(part)).toString("base64url"))
    .join(".");
  return `${text}.${sign("RSA-SHA256", Buffer.from(text), key).toString("base64url")}`;
}

const refusedKey = (status: number, said: unknown): DeliveryFailure =>
  new DeliveryFailure(
    status >= 500 || status === 429
      ? `Google gave no access: it answered with ${status}. It is tried again.`
      : `Google refused the key of the service account with ${status}: ${typeof said === "string" ? said : "no reason"}. If the key was deleted, create a new one and set the secret again. Also check the clock of the service.`,
  );
