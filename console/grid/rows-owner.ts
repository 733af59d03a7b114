import type { RowsKind } from "../api/api.ts";

/** A run or a batch, as far as its rows need it. */
export interface RowsOwner {
  of: RowsKind;
  id: string;
  scraper_id: string;
  /** The name of the scraper, for the names of files. */
  name: string;
  created_at: string;
  row_count: number;
  isRunning: boolean;
}
