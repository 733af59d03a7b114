import { inArray } from "../../batches/check-inputs.ts";
import { decodeText } from "../../batches/decode-text.ts";
import { parseCsv } from "../../batches/parse-csv.ts";
import { parseJsonLines } from "../../batches/parse-json-lines.ts";
import type { ParsedInputs } from "../../batches/parsed-inputs.ts";
import type { StartBatch } from "../../batches/start-batch.ts";
import { BatchSettings, CreateBatchRequest } from "../../contract/batches/batch.ts";
import { nearMisses } from "../../contract/near-misses.ts";
import { type Problem, ValidationError, validate } from "../../contract/validate.ts";
import { Upload } from "../parse-body.ts";
import { webhookProblems } from "../scrapers/webhook-problems.ts";

/** A batch to create, as far as it can be checked without its scraper. */
type BatchRequest = Pick<StartBatch, "settings" | "inputs">;

/**
 * Reads a batch to create: JSON, or a file with inputs whose other fields are in the query.
 * @throws ValidationError with all problems
 */
export function readBatchRequest(body: unknown, query: object, allowHosts: readonly string[]): BatchRequest {
  const problems: Problem[] = [];
  const collect = <T>(read: () => T): T | undefined => {
    try {
      return read();
    } catch (error) {
      if (!(error instanceof ValidationError)) throw error;
      problems.push(...error.problems);
      return undefined;
    }
  };
  const isUpload = body instanceof Upload;
  const request = isUpload
    ? { settings: collect(() => validate(BatchSettings, query)), inputs: collect(() => parseUpload(body)) }
    : collect(() => requestOf(validate(CreateBatchRequest, body)));
  problems.push(...webhookProblems(isUpload ? query : body, allowHosts));
  if (!isUpload) problems.push(...nearMisses(body, Object.keys(CreateBatchRequest.pipe[0].entries)));
  const { settings, inputs } = request ?? {};
  if (problems.length > 0 || settings === undefined) throw new ValidationError(problems);
  return { settings, inputs };
}

const requestOf = ({ inputs, inputs_from, ...settings }: CreateBatchRequest): BatchRequest => ({
  settings,
  inputs: inputs === undefined ? inputs_from : { inputs, placeOf: inArray },
});

function parseUpload({ type, charset, bytes }: Upload): ParsedInputs {
  const text = decodeText(bytes, charset);
  return type === "text/csv" ? parseCsv(text) : parseJsonLines(text);
}
