import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import type { SitemapSource } from "../../contract/batches/batch.ts";
import type { FetchFile } from "../../egress/requests/fetch-file.ts";
import { wildcardTest } from "../../wildcard.ts";
import { decodeText } from "../decode-text.ts";
import type { ParsedInputs } from "../parsed-inputs.ts";
import { fetched } from "./csv-url.ts";
import { sourceProblem } from "./source-problem.ts";
import { UniqueValues } from "./unique-values.ts";

/** All sitemaps together. */
const TIMEOUT_MS = 60_000;
/** The protocol's own limit for one sitemap, uncompressed. */
const MAX_BYTES = 50 * 1024 * 1024;
const MAX_SITEMAPS = 500;
const decompress = promisify(gunzip);

/**
 * The addresses in a sitemap, and in all sitemaps that it names. Each sitemap is read once, so one that names itself does no
 * harm.
 * @throws ValidationError
 */
export async function readSitemap(
  { fetchFile }: { fetchFile: FetchFile },
  { url: first, match, step }: SitemapSource,
): Promise<ParsedInputs> {
  const isWanted = match === undefined ? () => true : wildcardTest(match);
  const values = new UniqueValues(step);
  const sitemaps = new Set([first]);
  const end = performance.now() + TIMEOUT_MS;
  // The set grows while it is read.
  for (const url of sitemaps) {
    const timeoutMs = Math.ceil(end - performance.now());
    if (timeoutMs <= 0) throw sourceProblem(`could not be read within ${TIMEOUT_MS / 1000} seconds`);
    const { isIndex, addresses } = parseSitemap(await textAt(fetchFile, url, timeoutMs));
    for (const address of addresses) {
      if (!isIndex) {
        if (isWanted(address)) values.add(address);
        continue;
      }
      sitemaps.add(new URL(address, url).href);
      if (sitemaps.size > MAX_SITEMAPS) throw sourceProblem(`has more than ${MAX_SITEMAPS} sitemaps`);
    }
  }
  if (values.inputs.length === 0) {
    const which = match === undefined ? "" : " that match";
    throw sourceProblem(`has no addresses${which}`);
  }
  return { inputs: values.inputs, placeOf: (index) => `inputs[${index}]` };
}

async function textAt(fetchFile: FetchFile, url: string, timeoutMs: number): Promise<string> {
  const accept = "application/xml, text/xml;q=0.9, */*;q=0.5";
  const { bytes } = await fetched(() => fetchFile(url, { accept, timeoutMs, maxBytes: MAX_BYTES }));
  return decodeText(isGzip(bytes) ? await unpacked(bytes, url) : bytes);
}

/** A file whose name ends with .gz comes as it is: its compression is not one of the response. */
const isGzip = (bytes: Buffer): boolean => bytes[0] === 0x1f && bytes[1] === 0x8b;

async function unpacked(bytes: Buffer, url: string): Promise<Buffer> {
  try {
    return await decompress(bytes, { maxOutputLength: MAX_BYTES });
  } catch (error) {
    const isTooLarge = (error as NodeJS.ErrnoException).code === "ERR_BUFFER_TOO_LARGE";
    const what = isTooLarge ? `is larger than ${MAX_BYTES} bytes` : "is not a valid gzip file";
    throw sourceProblem(`can't be read: ${url} ${what}`);
  }
}

const ENTITIES: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

const ROOT = /<([\w-]+:)?(urlset|sitemapindex)[\s>]/;

/**
 * What a sitemap in XML has, or a text file with one address per line. Anyone may have written it, so it is split: a pattern
 * for a whole element takes too long for one that does not end.
 */
export function parseSitemap(text: string): { isIndex: boolean; addresses: string[] } {
  if (!/^\s*</.test(text)) {
    const lines = text.split(/\r?\n/).map((line) => line.trim());
    return { isIndex: false, addresses: lines.filter((line) => /^https?:\/\//.test(line)) };
  }
  const [first = "", ...others] = text.split("<!--");
  const xml = first + others.map((part) => part.split("-->").slice(1).join("-->")).join("");
  // The addresses of images and videos have another prefix than the root, and are no pages.
  const [, prefix = "", root] = ROOT.exec(xml) ?? [];
  const parts = xml.split(new RegExp(`<${prefix}loc\\s*>`)).slice(1);
  return { isIndex: root === "sitemapindex", addresses: parts.flatMap((part) => addressIn(part, prefix)) };
}

function addressIn(part: string, prefix: string): string[] {
  const end = part.indexOf(`</${prefix}loc`);
  const value = part.slice(0, Math.max(0, end)).trim();
  if (value.startsWith("<![CDATA[") && value.endsWith("]]>")) return [value.slice(9, -3).trim()];
  return value === "" || value.includes("<") ? [] : [unescapeXml(value)];
}

const unescapeXml = (text: string): string =>
  text.replaceAll(/&(?:#(\d+)|#x([0-9a-f]+)|(\w+));/gi, (whole, decimal, hex, name) => {
    if (name !== undefined) return ENTITIES[name] ?? whole;
    const code = Number.parseInt(decimal ?? hex, decimal === undefined ? 16 : 10);
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
