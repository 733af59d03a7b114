import type { InputValues } from "../contract/batches/batch.ts";
import type { StepOverride } from "../contract/runs/run.ts";
import type { PlaceOf } from "./check-inputs.ts";

/** Inputs that were given or read. */
export interface ParsedInputs {
  inputs: readonly InputValues[];
  /** Where in the request or in its file an input is. */
  placeOf: PlaceOf;
  /** The overrides of the batch that the inputs come from. Those of the request come first. */
  overrides?: readonly StepOverride[];
}
