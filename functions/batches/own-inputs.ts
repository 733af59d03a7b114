import type { InputSource, InputValues } from "../contract/batches/batch.ts";
import type { Problem } from "../contract/validate.ts";
import { columnsOfInputs, inArray, inputProblems } from "./check-inputs.ts";
import type { ParsedInputs } from "./parsed-inputs.ts";

/** The inputs that a scraper has itself, or where they come from. */
interface OwnInputs {
  inputs?: InputValues[] | undefined;
  inputs_from?: InputSource | undefined;
}

/** The inputs of a scraper, or where they come from; undefined if it has none. */
export const ownInputs = ({ inputs, inputs_from }: OwnInputs): ParsedInputs | InputSource | undefined =>
  inputs === undefined ? inputs_from : { inputs, placeOf: inArray };

/** Whether the inputs of a scraper are at an address. */
export const areFetched = ({ inputs_from }: OwnInputs): boolean =>
  inputs_from?.csv_url !== undefined || inputs_from?.sitemap !== undefined;

/** The problems of a scraper's own inputs with its steps, as far as the definition shows them. */
export function ownInputProblems(scraper: OwnInputs & Parameters<typeof inputProblems>[0]): Problem[] {
  const { inputs, inputs_from } = scraper;
  if (inputs !== undefined) return inputProblems(scraper, inputs, columnsOfInputs(inputs));
  const step = inputs_from?.sitemap?.step ?? inputs_from?.rows_of?.step;
  if (step === undefined) return [];
  return inputProblems(scraper, [], [step]).map((problem) => ({ ...problem, path: "inputs_from" }));
}
