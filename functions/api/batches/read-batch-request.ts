import type { PlaceOf } from "../../batches/check-inputs.ts";
import { decodeText } from "../../batches/decode-text.ts";
import { parseCsv } from "../../batches/parse-csv.ts";
import { parseJsonLines } from "../../batches/parse-json-lines.ts";
import type { ParsedInputs } from "../../batches/parsed-inputs.ts";
import { BatchSettings, CreateBatchRequest, type InputValues } from "../../contract/batch.ts";
import { nearMisses } from "../../contract/near-misses.ts";
import { type Problem, ValidationError, validate } from "../../contract/validate.ts";
import { Upload } from "../parse-body.ts";
import { webhookProblems } from "../scrapers/webhook-problems.ts";

/** A batch to create, as far as it can be checked without its scraper. */
export interface BatchRequest {
  settings: BatchSettings;
  inputs: readonly InputValues[];
  /** Where in a file an input is; absent if the inputs are not from a file. */
  placeOf?: PlaceOf;
}

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
  const fields = body instanceof Upload ? query : body;
  const request = collect(() => fieldsOf(body, fields));
  problems.push(...webhookProblems(fields, allowHosts));
  if (!(body instanceof Upload)) problems.push(...nearMisses(body, Object.keys(CreateBatchRequest.entries)));
  const parsed = body instanceof Upload ? collect(() => parseUpload(body)) : undefined;
  if (problems.length > 0 || request === undefined) throw new ValidationError(problems);
  return { ...request, ...parsed };
}

function fieldsOf(body: unknown, fields: unknown): BatchRequest {
  if (body instanceof Upload) return { settings: validate(BatchSettings, fields), inputs: [] };
  const { inputs, ...settings } = validate(CreateBatchRequest, fields);
  return { settings, inputs };
}

function parseUpload({ type, charset, bytes }: Upload): ParsedInputs {
  const text = decodeText(bytes, charset);
  return type === "text/csv" ? parseCsv(text) : parseJsonLines(text);
}
