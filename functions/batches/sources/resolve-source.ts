import type { InputSource } from "../../contract/batches/batch.ts";
import { type Problem, ValidationError } from "../../contract/validate.ts";
import type { FetchFile } from "../../egress/requests/fetch-file.ts";
import type { Table } from "../../store/table.ts";
import type { ParsedInputs } from "../parsed-inputs.ts";
import { readCsvUrl } from "./csv-url.ts";
import { failedInputs } from "./failed-of.ts";
import { inputsOfRows } from "./rows-of.ts";
import { readSitemap } from "./sitemap.ts";
import { sourceProblem } from "./source-problem.ts";

export interface SourceDeps {
  table: Table;
  /** Gets a file by the egress rules. */
  fetchFile: FetchFile;
}

/**
 * The inputs of a source.
 * @throws ValidationError with the problems of the source
 */
export async function resolveSource(
  deps: SourceDeps,
  account: string,
  { csv_url, sitemap, rows_of, failed_of }: InputSource,
): Promise<ParsedInputs> {
  if (csv_url !== undefined) return within("csv_url", () => readCsvUrl(deps, csv_url));
  if (sitemap !== undefined) return within("sitemap", () => readSitemap(deps, sitemap));
  if (rows_of !== undefined) return within("rows_of", () => inputsOfRows(deps, account, rows_of));
  return within("failed_of", () => failedInputs(deps, { account, id: failed_of ?? "" }));
}

/** Adds the name of the source to the problems that name no other place. */
async function within(name: string, read: () => Promise<ParsedInputs>): Promise<ParsedInputs> {
  try {
    const parsed = await read();
    if (parsed.inputs.length === 0) throw sourceProblem("has no inputs");
    return parsed;
  } catch (error) {
    if (!(error instanceof ValidationError)) throw error;
    throw new ValidationError(
      error.problems.map(
        ({ path, message }): Problem => ({
          path: path.startsWith("row ") ? path : `inputs_from.${name}${path === "" ? "" : `.${path}`}`,
          message,
        }),
      ),
    );
  }
}
