import * as v from "valibot";
import { FieldName } from "../steps/action-steps.ts";

/** How large a file may be, in bytes: if a list does not say, and at most. */
export const FILE_BYTES = { absent: 10_000_000, most: 100_000_000 } as const;

/** The most files of a run, and the most bytes that they may have together. */
export const FILES = { count: 10_000, bytes: 5_000_000_000 } as const;

/** Downloads the files that the addresses in a field of each row name. */
export const ListFiles = v.strictObject({
  field: FieldName,
  max_bytes: v.optional(
    v.pipe(
      v.number("must be a whole number"),
      v.integer("must be a whole number"),
      v.minValue(1, "must be at least 1"),
      v.maxValue(FILE_BYTES.most, `must be at most ${FILE_BYTES.most}`),
    ),
  ),
});

const count = v.pipe(v.number(), v.integer(), v.minValue(0));

/** The files of a run: how many there are, how many of them could not be downloaded, and the bytes of the others. */
export const FileCounts = v.object({ count, failed: count, bytes: count });
export type FileCounts = v.InferOutput<typeof FileCounts>;

/** A file that the rows of a run name. */
export const RunFile = v.object({
  number: v.pipe(v.number(), v.integer(), v.minValue(1), v.description("Its place in the list of files.")),
  name: v.pipe(
    v.string(),
    v.description("A name that no other file of the run has, and that every file system accepts."),
  ),
  url: v.pipe(
    v.string(),
    v.description("The address, as rows have it: a row finds its file by the value of its field."),
  ),
  row: v.pipe(count, v.description("Index of the first row with this address.")),
  field: v.pipe(v.string(), v.description("The field of the row with the address.")),
  bytes: v.pipe(v.nullable(count), v.description("Its size; null if it could not be downloaded.")),
  type: v.pipe(
    v.nullable(v.string()),
    v.description("Its media type, by its content if that tells, or else as its server says."),
  ),
  sha256: v.pipe(v.nullable(v.string()), v.description("The SHA-256 of its content, in hexadecimal digits.")),
  error: v.pipe(v.nullable(v.string()), v.description("Why it could not be downloaded; null if it was.")),
});
export type RunFile = v.InferOutput<typeof RunFile>;
