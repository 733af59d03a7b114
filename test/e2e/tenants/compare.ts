import type { Received } from "../send.ts";

/** What tells one request from any other, whatever is asked. */
const OF_THE_REQUEST = ["x-request-id", "date", "ratelimit"];

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/g;
/** A time, also as the beginning of the id of an entry of the audit log. */
const TIME = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z(_[0-9a-f]{8})?/g;

/** A text without the value that was probed with; where something was made, also without its id and times. */
export function without(text: string, value: string, made: boolean): string {
  const bare = text.replaceAll(value, "VALUE");
  return made ? bare.replace(UUID, "ID").replace(TIME, "TIME") : bare;
}

/** All of an answer that may not depend on whether another account has what was asked for. */
export function comparable({ status, headers, text }: Received, value: string): unknown {
  const told = Object.entries(headers).filter(([name]) => !OF_THE_REQUEST.includes(name));
  const made = status === 201;
  return {
    status,
    headers: JSON.parse(without(JSON.stringify(told), value, made)),
    text: without(text, value, made),
  };
}
