import { isPage, type LoadedDocument } from "../page/document.ts";
import { BrowserRequired } from "./browser-required.ts";
import type { HttpAnswer } from "./http-client.ts";

/** Headers that affect how a page is shown. They must equal those of the page in the browser. */
const SAME = ["content-type", "content-security-policy", "referrer-policy", "content-language"];
/** Policies by which requests of links don't name the page of the link. */
const HIDES_REFERER = /(^|[\s,])(no-referrer|origin|strict-origin)\s*$/i;

const unsigned = (value: string | undefined) => value?.replace(/'nonce-[^']*'/g, "").toLowerCase();

/**
 * Checks that the browser would show a response in the same way as the page that is open.
 * @throws BrowserRequired
 */
export function assertReadable(
  { status, headers }: Pick<HttpAnswer, "status" | "headers">,
  open: LoadedDocument,
): void {
  if (status !== 200) throw new BrowserRequired(`its server answered with HTTP ${status}`);
  const type = (headers["content-type"] ?? "").split(";")[0]?.trim().toLowerCase() ?? "";
  const isHtml = type === "text/html" && isPage({ ...open, status, type, headers });
  if (!isHtml || headers.refresh !== undefined)
    throw new BrowserRequired("its server answered with something else");
  for (const name of SAME)
    if (unsigned(headers[name]) !== unsigned(open.headers[name]))
      throw new BrowserRequired(`its header ${name} is another one than in the browser`);
  if (HIDES_REFERER.test(headers["referrer-policy"] ?? ""))
    throw new BrowserRequired("its links hide where they are");
}

/** The encoding in a response's `Content-Type`; null if there is none. */
export const charsetOf = (headers: HttpAnswer["headers"]): string | null =>
  /;\s*charset\s*=\s*"?([^\s;"]+)/i.exec(headers["content-type"] ?? "")?.[1] ?? null;
