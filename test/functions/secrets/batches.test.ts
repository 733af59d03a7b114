import { expect, test } from "@jest/globals";
import type { Batch, Scrape } from "../../../functions/scraping/job.ts";
import { withSecrets } from "../../../functions/secrets/with-secrets.ts";

test("a batch keeps its list, and its files are without secrets in what comes from the page", async () => {
  const file = {
    row: 0,
    field: "pdf",
    key: "c0ffee",
    name: "of hunter22.pdf",
    url: "https://a.example/?k=hunter22",
  };
  const stored = { bytes: 5, type: "application/pdf", sha256: "beef" };
  const scrape: Scrape = async function* () {
    yield {
      rows: [{ pdf: "hunter22" }],
      list: 1,
      checkpoint: {},
      files: [
        { ...file, content: stored },
        { ...file, content: { error: "https://a.example/?k=hunter22 answered with HTTP 404." } },
      ],
    };
    return "done";
  };
  const read = async () => new Map([["key", { value: "hunter22", hosts: [] }]]);
  const job = {
    steps: [{ type: "visit", url: "https://a.example/?k={{secret:key}}" }] as const,
    pagination: { type: "none" } as const,
    rowsLimit: 10,
  };
  const batches = withSecrets(
    scrape,
    read,
    "acme",
  )(job, { deadline: Date.now() + 60_000, onPageLoad: () => {} });
  const { value } = await batches.next();
  await batches.return("done");
  const { rows, list, files } = value as Batch;
  const hidden = "{{secret:key}}";
  expect({ rows, list }).toEqual({ rows: [{ pdf: hidden }], list: 1 });
  const shown = { ...file, name: "file", url: `https://a.example/?k=${hidden}` };
  expect(files).toEqual([
    { ...shown, content: stored },
    { ...shown, content: { error: `https://a.example/?k=${hidden} answered with HTTP 404.` } },
  ]);
});
