import { hash } from "node:crypto";
import type { ContestRow } from "./contestant.ts";

/** The same rows give the same digest, whatever the order of their fields. */
export const digestOf = (rows: readonly ContestRow[]): string =>
  hash("sha256", JSON.stringify(rows.map((row) => Object.entries(row).sort())));
