/** What was measured, and what it may be at most. */
export interface Figure {
  what: string;
  measured: number;
  goal?: number;
}
