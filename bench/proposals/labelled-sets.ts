import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";

/** A saved page with what people say of it. */
export interface LabelledPage {
  set: "autopager" | "next-eval" | "WREN" | "article-extraction-benchmark";
  /** What the halves are split by. */
  host: string;
  url: string;
  file: string;
  charset: string;
  /** A CSS selector of the control that shows the next page; null: there is none. */
  next?: string | null;
  /** The same of the control that the set takes for the previous page. */
  previous?: string;
  /** XPaths of the rows of the main list. */
  rows?: string[];
  /** Values that stand on the page, by name. */
  values?: Record<string, string>;
}

/** Pages of one site whose values are looked for. */
const SITE_PAGES = 10;

/** Which half a host is in; the same on every machine. */
export const isHeldOut = (host: string): boolean =>
  (createHash("sha256").update(host).digest()[0] as number) % 2 === 1;

export async function readPage({ file }: LabelledPage): Promise<Buffer> {
  const bytes = await readFile(file);
  return file.endsWith(".gz") ? gunzipSync(bytes) : bytes;
}

/** The sets that the folder has, and the names of those that it does not have. */
export async function readSets(folder: string): Promise<{ pages: LabelledPage[]; missing: string[] }> {
  const readers = {
    autopager: readAutopager,
    "next-eval": readNextEval,
    WREN: readWren,
    "article-extraction-benchmark": readArticles,
  };
  const pages: LabelledPage[] = [];
  const missing: string[] = [];
  for (const [name, read] of Object.entries(readers)) {
    const found = existsSync(join(folder, name)) ? await read(join(folder, name)) : [];
    if (found.length === 0) missing.push(name);
    pages.push(...found);
  }
  return { pages, missing };
}

async function readAutopager(folder: string): Promise<LabelledPage[]> {
  const data = join(folder, "autopager", "data");
  const [, ...lines] = parseCsv(await readFile(join(data, "data.csv"), "utf8"));
  return lines.flatMap(
    ([name = "", url = "", charset = "utf-8", previous = "", , next = "", , , failed = ""]) => {
      const file = join(data, "html", `${name}.html`);
      if (failed !== "" || name === "" || !existsSync(file)) return [];
      return [
        {
          set: "autopager",
          host: new URL(url).hostname,
          url,
          file,
          charset,
          next: next.trim() || null,
          previous,
        },
      ];
    },
  );
}

async function readNextEval(folder: string): Promise<LabelledPage[]> {
  const web = join(folder, "apps", "web");
  const pages: LabelledPage[] = [];
  for (const name of await readdir(join(web, "public", "samples"))) {
    const sample = name.replace(".html", "");
    const answer = join(web, "src", "assets", `${sample}_flat_content.json`);
    // One label of the set is cut in its middle.
    const records = await readFile(answer, "utf8")
      .then(JSON.parse)
      .catch(() => undefined);
    if (!Array.isArray(records)) continue;
    pages.push({
      set: "next-eval",
      // The pages do not say where they come from.
      host: sample,
      url: "https://example.com/",
      file: join(web, "public", "samples", name),
      charset: "utf-8",
      rows: (records as string[][]).flatMap((record) => record[0] ?? []),
    });
  }
  return pages;
}

async function readWren(folder: string): Promise<LabelledPage[]> {
  const data = join(folder, "resources", "datasets", "swde-17477");
  const sites = await readdir(join(data, "testset", "book"));
  const pages: LabelledPage[] = [];
  for (const site of sites) {
    const name = site.replace(/-\d+$/, "");
    const truth = await readdir(join(data, "groundtruth", "book"));
    const values = new Map<string, Record<string, string>>();
    for (const file of truth.filter((each) => each.startsWith(`${name}-`))) {
      const lines = (await readFile(join(data, "groundtruth", "book", file), "utf8")).split(/\r?\n/).slice(2);
      for (const line of lines) {
        const [page = "", count, value = ""] = line.split("\t");
        if (count !== "1" || value === "<NULL>") continue;
        const attribute = file.slice(name.length + 1).replace(".txt", "");
        values.set(page, { ...values.get(page), [attribute]: decoded(value) });
      }
    }
    for (const page of (await readdir(join(data, "testset", "book", site))).sort().slice(0, SITE_PAGES)) {
      const host = `www.${name.replace("book-", "")}.com`;
      pages.push({
        set: "WREN",
        host,
        url: `https://${host}/${page}`,
        file: join(data, "testset", "book", site, page),
        charset: "utf-8",
        values: values.get(page.replace(/\.htm$/, "")) ?? {},
      });
    }
  }
  return pages;
}

async function readArticles(folder: string): Promise<LabelledPage[]> {
  const truth = JSON.parse(await readFile(join(folder, "ground-truth.json"), "utf8")) as Record<
    string,
    { url: string }
  >;
  return Object.entries(truth).map(([name, { url }]) => ({
    set: "article-extraction-benchmark",
    host: new URL(url).hostname,
    url,
    file: join(folder, "html", `${name}.html.gz`),
    charset: "utf-8",
  }));
}

const decoded = (text: string) =>
  text
    .replace(/&#(\d+);/g, (_, code) => String.fromCodePoint(Number(code)))
    .replace(/&quot;/g, '"')
    .replace(/&lt;/g, "<")
    .replace(/&gt;/g, ">")
    .replace(/&nbsp;/g, " ")
    .replace(/&amp;/g, "&");

/** Lines of CSV whose quoted cells have no line breaks. */
const parseCsv = (text: string): string[][] =>
  text
    .split(/\r?\n/)
    .filter(Boolean)
    .map((line) =>
      [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)].map(([, quoted, plain]) =>
        quoted === undefined ? (plain ?? "") : quoted.replaceAll('""', '"'),
      ),
    );
