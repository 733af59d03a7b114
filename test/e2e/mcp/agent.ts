import type { Client } from "@modelcontextprotocol/client";
import type { Inspection } from "../../../functions/contract/inspections/inspection.ts";
import type { Row } from "../../../functions/contract/runs/run.ts";
import type { ScraperDefinition } from "../../../functions/contract/scrapers/scraper.ts";

/* An agent without a model: it follows the instructions of the server, and understands nothing else. */

/** What a tool answered. */
export interface Answered {
  isError: boolean;
  /** Our own words. */
  summary: string;
  /** What is between the marks. */
  data: string;
  /** Characters of all texts. */
  length: number;
  images: { data: string; mimeType: string }[];
}

export async function ask(client: Client, name: string, input: object = {}): Promise<Answered> {
  const { content, isError = false } = await client.callTool({ name, arguments: { ...input } });
  const texts = content.flatMap((part) => (part.type === "text" ? [part.text] : []));
  const [summary = "", marked = ""] = texts;
  return {
    isError,
    summary,
    data: /<(page-data-[0-9a-f]{16})>\n([\s\S]*)\n<\/\1>$/.exec(marked)?.[2] ?? "",
    length: texts.join("").length,
    images: content.flatMap((part) =>
      part.type === "image" ? [{ data: part.data, mimeType: part.mimeType }] : [],
    ),
  };
}

const must = async (client: Client, name: string, input: object): Promise<Answered> => {
  const answer = await ask(client, name, input);
  if (answer.isError) throw new Error(`${name}: ${answer.summary}`);
  return answer;
};

interface Inspected {
  draft: Pick<ScraperDefinition, "name" | "steps" | "pagination">;
  lists: { list: number; fields: NonNullable<Inspection["lists"]>[number]["fields"] }[];
}

/** Some of the shop's books have no price. */
const MIN_FILLED = 0.8;

/** What the user wants: for each column, what one of its values looks like. */
export type Wanted = Record<string, RegExp>;

export interface Outcome {
  definition: object;
  scraper: string;
  run: string;
  rows: Row[];
}

/** From an address to rows. */
export async function makeScraper(client: Client, url: string, wanted: Wanted): Promise<Outcome> {
  const { definition } = await provedDefinition(client, url, wanted);
  const saved = await must(client, "save_scraper", { definition });
  const scraper = idIn(saved.summary);
  const started = await must(client, "start_run", { scraper_id: scraper });
  const run = idIn(started.summary);
  while (JSON.parse((await must(client, "get_run", { run_id: run })).data).status === "running") {
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  return { definition, scraper, run, rows: await allRows(client, run) };
}

export const idIn = (text: string): string =>
  /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/.exec(text)?.[0] ?? "";

/** How long to wait for a list that is not there at once, as the server advises. */
const WAITS = [undefined, 1_000, 5_000, 10_000];

/** The draft for the list that the user wants, with its columns. */
async function chosenList(client: Client, url: string, wanted: Wanted) {
  for (const value of WAITS) {
    const steps = value === undefined ? [] : [{ type: "wait", value }];
    const inspect = async (more: object): Promise<Inspected> =>
      JSON.parse((await must(client, "inspect_page", { url, steps, ...more })).data);
    const all = await inspect({});
    const chosen = all.lists.find(({ fields }) => fieldsFor(wanted, fields) !== undefined);
    if (chosen === undefined) continue;
    const inspected = chosen.list === 1 ? all : await inspect({ list: chosen.list });
    const columns = fieldsFor(wanted, inspected.lists[0]?.fields ?? []);
    if (columns !== undefined) return { inspected, columns };
  }
  throw new Error(`No list of ${url} has all columns.`);
}

async function provedDefinition(client: Client, url: string, wanted: Wanted) {
  const { inspected: one, columns } = await chosenList(client, url, wanted);
  const steps = one.draft.steps.map((step) =>
    step.type === "get_list" ? { ...step, fields: columns } : step,
  );
  const definition = { ...one.draft, steps };
  const { summary, data } = await must(client, "check_scraper", { definition, pages: 2 });
  const { ok, fields, pages } = JSON.parse(data.split("\n")[0] ?? "");
  const isFilled = fields.every(({ filled }: { filled: number }) => filled >= MIN_FILLED);
  const isProved = definition.pagination.type === "none" || pages[1]?.new_rows > 0;
  if (!ok || !isFilled || !isProved) throw new Error(`The draft of ${url} could not be proved: ${summary}`);
  return { definition };
}

/** The fields of a list that have the wanted values, named as the user names them. */
function fieldsFor(wanted: Wanted, fields: Inspected["lists"][number]["fields"]) {
  const found = Object.entries(wanted).flatMap(([name, pattern]) => {
    const field = fields.find(
      ({ samples }) => samples.length > 0 && samples.every((text) => pattern.test(text)),
    );
    if (field === undefined) return [];
    const { selector, attribute } = field;
    return [
      { name, ...(selector !== undefined && { selector }), ...(attribute !== undefined && { attribute }) },
    ];
  });
  return found.length === Object.keys(wanted).length ? found : undefined;
}

/** All rows of a run, by as many calls as its answers ask for. */
export async function allRows(client: Client, run: string): Promise<Row[]> {
  const rows: Row[] = [];
  for (let offset = 0; ; ) {
    const { summary, data } = await must(client, "get_rows", { run_id: run, offset, limit: 1_000 });
    if (data !== "") rows.push(...data.split("\n").map((line) => JSON.parse(line) as Row));
    const next = /with offset (\d+)/.exec(summary)?.[1];
    if (next === undefined) return rows;
    offset = Number(next);
  }
}
