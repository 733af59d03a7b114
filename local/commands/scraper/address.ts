import * as v from "valibot";
import { HttpUrl } from "../../../functions/contract/steps.ts";
import { wrongUse } from "../../command-error.ts";
import { isLoopback } from "../is-loopback.ts";

/** An address as people type it. */
export interface Address {
  url: string;
  /** Whether the scheme is a guess. */
  isGuessed: boolean;
}

/** @throws CommandError if nothing can be made of it */
export function readAddress(text: string): Address {
  const typed = text.trim();
  const isGuessed = !/^[a-z][a-z0-9+.-]*:\/\//i.test(typed);
  const url = isGuessed ? withScheme(typed) : typed;
  if (url !== undefined && v.is(HttpUrl, url)) return { url, isGuessed };
  throw wrongUse(
    `"${text}" is not the address of a web page. Write it as https://example.com/list, without a user name or password.`,
  );
}

/** Sites have https; what runs on this machine rarely does. */
function withScheme(typed: string): string | undefined {
  const host = URL.parse(`http://${typed}`)?.hostname;
  if (!host) return undefined;
  return `${isLoopback(host) ? "http" : "https"}://${typed}`;
}
