import type { Batch, BatchInput } from "./batches/batch.ts";
import type { Inspection } from "./inspections/inspection.ts";
import type { CreateRunRequest, Run } from "./runs/run.ts";
import type { RunWebhook } from "./runs/run-webhook.ts";
import type { Scraper, ScraperDefinition } from "./scrapers/scraper.ts";

/** The scraper in the examples of the OpenAPI document. */
export const exampleScraper: Scraper = {
  id: "0199a3f0-5c10-7c3e-9d1b-4a0000000001",
  name: "Books in stock",
  steps: [
    { id: "open", type: "visit", url: "https://books.example.com/fiction" },
    { id: "search", type: "write_input", field_name: "Search books", value: "hardback", submit: true },
    {
      id: "books",
      type: "get_list",
      selector: ".book-card",
      fields: [
        { name: "title", selector: "h2" },
        { name: "price", selector: ".price" },
        { name: "url", selector: "a", attribute: "href" },
      ],
    },
  ],
  pagination: { type: "next_button", selector: "a.next", max_pages: 20 },
  rows_limit: 500,
  schedule: { interval: "1 day", next_run: "2030-01-31T09:00:00.000Z", timezone: "Europe/Berlin" },
  proxy: { type: "residential", country: "Germany" },
  webhook_url: null,
  created_at: "2030-01-15T08:12:41.104Z",
  version: 1,
  updated_at: "2030-01-15T08:12:41.104Z",
  last_run: {
    id: "0199a3f1-0d2a-7b51-8f6e-2c0000000001",
    status: "successful",
    row_count: 2,
    created_at: "2030-01-30T10:00:00.000Z",
    finished_at: "2030-01-30T10:00:04.512Z",
    error: null,
    warnings: [],
    stopping: false,
  },
};

/** A definition from which `exampleScraper` is made. */
export const exampleDefinition: ScraperDefinition = {
  name: exampleScraper.name,
  steps: exampleScraper.steps,
  pagination: exampleScraper.pagination,
  rows_limit: exampleScraper.rows_limit,
  schedule: { interval: "1 day", next_run: "2030-01-31T09:00:00.000Z", timezone: "Europe/Berlin" },
  proxy: exampleScraper.proxy,
  webhook_url: null,
};

const created: Run = {
  id: "0199a3f1-0d2a-7b51-8f6e-2c0000000001",
  scraper_id: exampleScraper.id,
  source: "api",
  status: "running",
  credits_used: 0,
  steps: exampleScraper.steps.map(({ id: _, ...step }) => step),
  rows_limit: 2,
  webhook_url: "https://hooks.example.com/gleaner",
  result_rows: null,
  created_at: "2030-01-30T10:00:00.000Z",
  finished_at: null,
  error: null,
  warnings: [],
  row_count: 0,
  started_at: null,
  progress: null,
  stopping: false,
  scraper_version: 1,
  batch_id: null,
  input: null,
  changes: null,
};

/** The same run in four states: just created, asked to stop, successful and failed. */
export const exampleRuns: Record<"created" | "finished" | "failed" | "stopping", Run> = {
  created,
  stopping: {
    ...created,
    credits_used: 10,
    row_count: 1,
    started_at: "2030-01-30T10:00:00.204Z",
    progress: { step: 2, page: 1, rows: 1, credits: 10, at: "2030-01-30T10:00:15.204Z" },
    stopping: true,
  },
  finished: {
    ...created,
    status: "successful",
    credits_used: 20,
    result_rows: [
      { title: "Middlemarch", price: "£6.50", url: "https://books.example.com/books/12" },
      { title: "Njáls saga", url: "https://books.example.com/books/31" },
    ],
    finished_at: "2030-01-30T10:00:04.512Z",
    row_count: 2,
    started_at: "2030-01-30T10:00:00.204Z",
    warnings: [
      {
        code: "pagination_guessed",
        message:
          'No control is called "Next page" on https://books.example.com/fiction. "Next page of books" was pressed instead. Give the pagination the full name, or a selector.',
        step: 2,
      },
    ],
    changes: {
      baseline: "0199a3f1-0d2a-7b51-8f6e-2c0000000000",
      new: 0,
      changed: 1,
      removed: 0,
      same: 1,
      mostly_changed: [],
      final: true,
      message: null,
    },
  },
  failed: {
    ...created,
    status: "failed",
    credits_used: 10,
    result_rows: [],
    finished_at: "2030-01-30T10:00:13.020Z",
    started_at: "2030-01-30T10:00:00.198Z",
    error: {
      code: "element_not_found",
      message: 'No element matches the selector ".book-card". Check it against the page as it is now.',
      step: 2,
    },
  },
};

/** The delivery of the finished run's webhook. */
export const exampleWebhook: RunWebhook = {
  url: "https://hooks.example.com/gleaner",
  state: "delivered",
  next_attempt_at: null,
  attempts: [{ at: "2030-01-30T10:00:05.016Z", status: 200, duration_ms: 84, answer: "ok" }],
  deliveries: [
    {
      type: "s3",
      to: "s3://prices/books/*.csv",
      mode: "append",
      state: "delivered",
      created_at: "2030-01-30T10:00:05.010Z",
      next_attempt_at: null,
      attempts: [
        {
          at: "2030-01-30T10:00:05.020Z",
          status: null,
          duration_ms: 132,
          answer: "2 rows in books/2030-01-30T10-00-00.000Z-0194b0c4-9a00-7000-8000-000000000001.csv",
        },
      ],
    },
  ],
};

export const exampleRequest: CreateRunRequest = {
  scraper_id: exampleScraper.id,
  steps: [{ id: "search", value: "paperback" }],
  rows_limit: 2,
  webhook_url: "https://hooks.example.com/gleaner",
};

/** `exampleRequest` as form fields. */
export const exampleForm = {
  scraper_id: exampleRequest.scraper_id,
  steps: JSON.stringify(exampleRequest.steps),
  rows_limit: exampleRequest.rows_limit,
  webhook_url: exampleRequest.webhook_url,
};

/** A response of POST /v1/inspections for the page of `exampleScraper`. */
export const exampleInspection: Inspection = {
  ok: true,
  error: null,
  steps: [{ index: 0, type: "visit", ms: 412, url_after: "https://books.example.com/fiction" }],
  page: {
    url: "https://books.example.com/fiction",
    title: "Fiction",
    width: 1280,
    height: 3204,
    language: "en",
  },
  rows: null,
  fields: [],
  lists: [
    {
      type: "get_list",
      selector: ".book-card",
      count: 24,
      score: 184_200,
      fields: [
        { name: "title", selector: "h2", kind: "text", filled: 1, distinct: 24, samples: ["Dune", "Emma"] },
        { name: "price", selector: ".price", kind: "price", filled: 1, distinct: 19, samples: ["$12.00"] },
      ],
      sample_rows: [
        { title: "Dune", price: "$12.00" },
        { title: "Emma", price: "$9.50" },
      ],
    },
  ],
  pagination: [
    { pagination: { type: "next_button", field_name: "Next" }, score: 97, is_sure: true, name: "Next" },
  ],
  forms: null,
  consent: null,
  map: null,
  screenshot: null,
  warnings: [],
  pages: [],
  credits_used: 1,
  ms: 690,
};

/** A batch in progress, one of its inputs, and a row. */
export const exampleBatch: Batch = {
  id: "0199a3f2-7a10-7d52-9c1e-d18c2e280001",
  scraper_id: exampleScraper.id,
  scraper_version: 1,
  source: "api",
  status: "running",
  total: 2,
  waiting: 0,
  running: 1,
  successful: 1,
  warned: 0,
  failed: 0,
  row_count: 2,
  credits_used: 20,
  rows_limit: 2,
  concurrency: 10,
  webhook_url: "https://hooks.example.com/gleaner",
  created_at: "2030-01-30T11:00:00.000Z",
  finished_at: null,
  stopping: false,
};

export const exampleBatchInput: BatchInput = {
  index: 0,
  values: { search: "paperback", article: "A-17" },
  run_id: "0199a3f2-7a10-7e4b-a2c9-746a52880001",
  status: "successful",
  row_count: 2,
  error: null,
  warnings: [],
};

export const exampleBatchRow = {
  "input.search": "paperback",
  "input.article": "A-17",
  title: "Middlemarch",
  price: "£6.50",
  url: "https://books.example.com/books/12",
};

export const exampleBatchRequest = {
  scraper_id: exampleScraper.id,
  inputs: [
    { search: "paperback", article: "A-17" },
    { search: "hardback", article: "A-18" },
  ],
  rows_limit: 2,
  webhook_url: "https://hooks.example.com/gleaner",
};

/** The same inputs as files, by media type. */
export const exampleUploads = {
  "text/csv": "search,article\npaperback,A-17\nhardback,A-18\n",
  "application/jsonl": '{"search":"paperback","article":"A-17"}\n{"search":"hardback","article":"A-18"}\n',
};
