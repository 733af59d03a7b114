import { createContext } from "preact";
import type { Inspection } from "../api/api.ts";

type Facts = Inspection["fields"][number];

/** The values that fields had when the rows were last read. */
export interface Preview {
  /** What is known of a field; undefined if it was not read. */
  factsOf: (name: string) => Facts | undefined;
  /** The language that the page states. */
  language: string | null | undefined;
  isBusy: boolean;
  /** Why the rows could not be read. */
  problem?: string | undefined;
  /** Reads the rows; absent: they are read after each change. */
  read?: () => void;
}

export const PreviewContext = createContext<Preview | undefined>(undefined);
