import { EgressError } from "../../egress/egress-error.ts";
import type { FetchedFile, FetchFile } from "../../egress/requests/fetch-file.ts";
import { decodeText } from "../decode-text.ts";
import { parseCsv } from "../parse-csv.ts";
import type { ParsedInputs } from "../parsed-inputs.ts";
import { sourceProblem } from "./source-problem.ts";

const TIMEOUT_MS = 30_000;
/** 100,000 inputs of 200 bytes. */
const MAX_BYTES = 20_000_000;

/** The inputs of a CSV file at an address. @throws ValidationError */
export async function readCsvUrl(
  { fetchFile }: { fetchFile: FetchFile },
  url: string,
): Promise<ParsedInputs> {
  const file = await fetched(() =>
    fetchFile(url, {
      accept: "text/csv, text/plain;q=0.9, */*;q=0.5",
      timeoutMs: TIMEOUT_MS,
      maxBytes: MAX_BYTES,
    }),
  );
  const text = decodeText(file.bytes, charsetOf(file.contentType));
  if (isPage(file, text))
    throw sourceProblem(
      "leads to a web page instead of a CSV file, maybe because it needs a sign-in. Open it in a private window of your browser to see what it shows without one",
    );
  return parseCsv(text);
}

/** A file that was found. @throws ValidationError if the request failed */
export async function fetched(fetch: () => Promise<FetchedFile>): Promise<FetchedFile> {
  const file = await fetch().catch((error: unknown) => {
    if (error instanceof EgressError) throw sourceProblem(`can't be read: ${error.message}`);
    throw error;
  });
  const { status } = file;
  if (status >= 200 && status < 300) return file;
  const advice = status === 401 || status === 403 ? ". It may need a sign-in; publish the file" : "";
  throw sourceProblem(`can't be read: the server answered with HTTP ${status}${advice}`);
}

/** Many servers state these for whatever they send. The bytes tell UTF-8 from them. */
const ASSUMED = /^(?:us-ascii|iso-8859-1|windows-1252)$/;

function charsetOf(contentType: string): string | undefined {
  const stated = /charset="?([\w-]+)/i.exec(contentType)?.[1]?.toLowerCase();
  return stated === undefined || ASSUMED.test(stated) ? undefined : stated;
}

const isPage = ({ contentType }: FetchedFile, text: string): boolean =>
  /^\s*text\/html/i.test(contentType) || /^\s*<(!doctype html|html)/i.test(text);
