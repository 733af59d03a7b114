import type { CDPSession } from "playwright-core";
import type { Row } from "../../../contract/runs/run.ts";
import { POLLS } from "../../limits.ts";
import { within } from "../../time-limit.ts";
import { CALL_MS } from "../../timing.ts";

interface Sent {
  url: string;
  method: string;
  hasPostData?: boolean;
  postData?: string;
}

/**
 * What a request has in common with those that it repeats: a poll differs from the one before by numbers and tokens, such as
 * those of the last message. Undefined where that is not known: browsers don't tell a long body.
 */
export function shapeOf({ url, method, hasPostData, postData = "" }: Sent): string | undefined {
  if (hasPostData && postData === "") return undefined;
  const [address, query = ""] = url.replace(/#.*/s, "").split(/\?(.*)/s);
  return JSON.stringify([method, address, wordsOf(query), wordsOf(postData)]);
}

/** The parameters and the texts of a request without its numbers and tokens. */
const wordsOf = (text: string): string =>
  text
    .replace(/&?[\w%.-]+=([^&]*)/g, (parameter, value: string) => (isWord(value) ? parameter : ""))
    .replace(/[\w%.-]+/g, (token) => (isWord(token) ? token : ""));

/** Whether it is letters, such as `list`, `getItems` and `LIST`, and not as random as `PXkQnXa`. */
const isWord = (text: string): boolean =>
  /^[A-Z_]+$/.test(text) || (/^[A-Za-z_-]+$/.test(text) && !/[A-Z](?![a-z]{2})/.test(text));

/** The body of a response. @throws Error for one that the browser has not kept */
export async function responseText(cdp: Pick<CDPSession, "send">, requestId: string): Promise<string> {
  const { body, base64Encoded } = await within(CALL_MS, cdp.send("Network.getResponseBody", { requestId }));
  return base64Encoded ? Buffer.from(body, "base64").toString() : body;
}

/**
 * Whether a request that repeats an answered one is a poll: the page waits for news. It is none if that answer has values
 * that were read, so that this one may have more of them.
 * @param repeated the id of the answered request
 */
export async function isPoll(
  cdp: Pick<CDPSession, "send">,
  repeated: string,
  rows: readonly Row[],
): Promise<boolean> {
  const answer = await responseText(cdp, repeated).catch(() => undefined);
  if (answer === undefined || answer.length > POLLS.answer) return false;
  const text = plain(answer);
  const values = rows.flatMap(Object.values<string>).filter((value) => value.length >= POLLS.telling);
  return !values.slice(0, POLLS.values).some((value) => text.includes(plain(value)));
}

/** A text without the escapes of JSON, and without spaces. */
const plain = (text: string): string =>
  text
    .replace(/\\u([\da-f]{4})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    .replace(/\\[nrt]|[\\\s]/g, "");
