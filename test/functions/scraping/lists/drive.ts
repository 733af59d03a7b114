import { expect } from "@jest/globals";
import type { Row } from "../../../../functions/contract/runs/run.ts";
import type { Pagination } from "../../../../functions/contract/scrapers/scraper.ts";
import type { ListField } from "../../../../functions/contract/steps/steps.ts";
import type { RunFailure } from "../../../../functions/runs/failure.ts";
import type { Batch } from "../../../../functions/scraping/job.ts";
import { readList } from "../../../../functions/scraping/lists/driver.ts";
import type { ListRun } from "../../../../functions/scraping/lists/list-reader.ts";
import type { ListResult, Page, Progress } from "../../../../functions/scraping/lists/source.ts";
import type { DeclaredSize } from "../../../../functions/scraping/page-script/protocol.ts";
import type { Session } from "../../../../functions/scraping/session.ts";
import type { RunCheckpoint } from "../../../../functions/scraping/steps/run-checkpoint.ts";
import { createWarnings } from "../../../../functions/scraping/warnings.ts";

const saysNothing: DeclaredSize = {
  rows: 0,
  missingColumns: 0,
  range: null,
  pages: null,
  areSlides: false,
  boxes: 0,
  moreButton: null,
  loadError: null,
  passedError: null,
  noResults: null,
};

/** What a page is read with if nothing is wrong. */
export const findings = {
  doubts: { shifted: 0, several: [], columns: [] },
  lazyImages: [] as const,
} as unknown as ListResult;

export interface Told {
  names: (string | undefined)[][];
  checkpoints: RunCheckpoint[];
  warnings: string[];
  messages: string[];
  failure: RunFailure | undefined;
  /** What the source knew of the progress before each page. */
  progress: Pick<Progress, "pageLimit" | "left" | "pagesLeft" | "pagesWanted" | "isFirst">[];
  /** How many pages the source was asked for. */
  read: number;
  isClosed: boolean;
}

export interface Drive {
  limit?: number;
  key?: string[];
  pagination?: Pagination;
  before?: RunCheckpoint;
  warnsOfLimit?: boolean;
  /** The names that an earlier run had, and after how many pages of them the list ends. */
  known?: string[];
  stopAfterKnownPages?: number;
  fields?: ListField[];
  texts?: Row;
  /** What the page says of its list. */
  declared?: Partial<DeclaredSize>;
  /** How many rows have other values at the end than when they were read. */
  changed?: number;
  scriptError?: string;
}

export const page = (number: number, ...names: (string | number)[]): Page => ({
  rows: names.map((name) => ({ name: `${name}` })),
  url: `https://shop.example/${number}`,
  identity: { url: `https://shop.example/${number}`, digest: names.join() },
});

/** The same rows as a part of a list that stays on its page. */
export const part = ({ identity: _, ...each }: Page): Page => each;

export async function drive(
  pages: Page[],
  {
    limit = 100,
    key,
    pagination = { type: "next_button" },
    before,
    warnsOfLimit = false,
    known,
    stopAfterKnownPages,
    fields = [{ name: "name" }],
    texts = {},
    declared,
    changed = 0,
    scriptError,
  }: Drive = {},
  handed: Row[] = [],
): Promise<Told> {
  const warnings = createWarnings();
  // Those that keep changing do not count.
  const changes = [changed];
  const answers: Record<string, () => unknown> = {
    changedRows: () => changes.pop() ?? 0,
    declaredSize: () => declared && { ...saysNothing, ...declared },
  };
  const session = {
    budget: { cut: (ms: number) => ms },
    engine: "browser",
    loads: { current: 0 },
    politeness: { concurrency: 1, prepare() {} },
    tab: {
      page: { url: () => "https://shop.example/" },
      document: { url: "https://shop.example/" },
      main: { html: async () => "" },
      network: { late: async () => undefined },
      scriptErrors: { last: scriptError },
      settle: async () => {},
      call: async (name: string) => answers[name]?.(),
    },
    warnings,
    ...(known && { isKnown: ({ name }: { name: string }) => known.includes(name) }),
  } as unknown as Session;
  const told: Told = {
    names: [],
    checkpoints: [],
    warnings: [],
    messages: [],
    progress: [],
    failure: undefined,
    read: 0,
    isClosed: false,
  };
  async function* source({ progress }: ListRun) {
    try {
      for (const each of pages) {
        told.read += 1;
        expect(progress.number).toBe((before?.number ?? 1) + told.read - 2);
        const { digest } = each.identity ?? {};
        const isRead = pages.slice(0, told.read - 1).some(({ identity }) => identity?.digest === digest);
        if (digest !== undefined) expect(progress.has({ digest })).toBe(isRead);
        const { pageLimit, left, pagesLeft, pagesWanted, isFirst } = progress;
        told.progress.push({ pageLimit, left, pagesLeft, pagesWanted, isFirst });
        session.loads.current += 1;
        yield each;
      }
    } finally {
      told.isClosed = true;
    }
  }
  const step = { type: "get_list" as const, selector: "li", fields, ...(key && { key }) };
  const from = before?.number === undefined ? undefined : { number: before.number };
  const list = { step, index: 1, pagination, texts, limit, warnsOfLimit, from, stopAfterKnownPages };
  try {
    for await (const batch of readList(session, list, before, source)) {
      const { rows, checkpoint } = batch as Batch & { checkpoint: RunCheckpoint };
      handed.push(...rows);
      told.names.push(rows.map(({ name }) => name));
      told.checkpoints.push(checkpoint);
    }
  } catch (error) {
    told.failure = error as RunFailure;
  }
  told.warnings = warnings.all().map(({ code }) => code);
  told.messages = warnings.all().map(({ message }) => message);
  return told;
}
