import type { InputValues } from "../contract/batch.ts";
import type { PlaceOf } from "./check-inputs.ts";

/** The inputs of a file. */
export interface ParsedInputs {
  inputs: InputValues[];
  /** Where in the file an input is. */
  placeOf: PlaceOf;
}
