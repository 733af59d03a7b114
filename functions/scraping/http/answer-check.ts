import { isPage, type LoadedDocument } from "../page/document.ts";
import { Doubt } from "./doubt.ts";
import type { HttpAnswer } from "./http-client.ts";

/** Headers that decide how a page is shown: they have to be those of the page in the browser. */
const SAME = ["content-type", "content-security-policy", "referrer-policy", "content-language"];
/** Policies by which a link does not say which page it is on. */
const HIDES_REFERER = /(^|[\s,])(no-referrer|origin|strict-origin)\s*$/i;

const unsigned = (value: string | undefined) => value?.replace(/'nonce-[^']*'/g, "").toLowerCase();

/**
 * Whether the browser would show an answer as it shows the page that is open.
 * @throws Doubt
 */
export function assertReadable(
  { status, headers }: Pick<HttpAnswer, "status" | "headers">,
  open: LoadedDocument,
): void {
  if (status !== 200) throw new Doubt(`its server answered with HTTP ${status}`);
  const type = (headers["content-type"] ?? "").split(";")[0]?.trim().toLowerCase() ?? "";
  const isHtml = type === "text/html" && isPage({ ...open, status, type, headers });
  if (!isHtml || headers.refresh !== undefined) throw new Doubt("its server answered with something else");
  for (const name of SAME)
    if (unsigned(headers[name]) !== unsigned(open.headers[name]))
      throw new Doubt(`its header ${name} is another one than in the browser`);
  if (HIDES_REFERER.test(headers["referrer-policy"] ?? "")) throw new Doubt("its links hide where they are");
}

/** What an answer's `Content-Type` says of its encoding; null where it says nothing. */
export const charsetOf = (headers: HttpAnswer["headers"]): string | null =>
  /;\s*charset\s*=\s*"?([^\s;"]+)/i.exec(headers["content-type"] ?? "")?.[1] ?? null;
