import { INPUTS_MAX, type InputValues } from "../../contract/batches/batch.ts";
import { ValidationError } from "../../contract/validate.ts";
import { tooManyInputs } from "../check-inputs.ts";

/** Inputs with a value for one step. Each value counts once, in the order in which the values come. */
export class UniqueValues {
  readonly inputs: InputValues[] = [];
  readonly #step: string;
  readonly #seen = new Set<string>();

  constructor(step: string) {
    this.#step = step;
  }

  /** @throws ValidationError if these are too many inputs */
  add(value: string): void {
    if (this.#seen.has(value)) return;
    if (this.inputs.length === INPUTS_MAX) throw new ValidationError([{ ...tooManyInputs(), path: "" }]);
    this.#seen.add(value);
    this.inputs.push({ [this.#step]: value });
  }
}
