import type { InputValues } from "../../contract/batches/batch.ts";
import type { RunRef } from "../../runs/run.ts";
import { getBatch, readHead } from "../../store/batches/batches.ts";
import { InputReader } from "../../store/batches/inputs.ts";
import { indexesWith } from "../../store/batches/list-inputs.ts";
import type { Table } from "../../store/table.ts";
import { isFinished } from "../batch.ts";
import type { ParsedInputs } from "../parsed-inputs.ts";
import { sourceProblem } from "./source-problem.ts";

/**
 * The failed inputs of a finished batch, those without runs included, with the overrides of the batch.
 * @throws ValidationError
 */
export async function failedInputs({ table }: { table: Table }, ref: RunRef): Promise<ParsedInputs> {
  const batch = await getBatch(table, ref);
  if (batch === undefined) throw sourceProblem("there is no batch with this id");
  if (!isFinished(batch)) throw sourceProblem("the batch is in progress. Wait until it has finished");
  const reader = new InputReader(table, batch);
  const inputs: InputValues[] = [];
  for await (const index of indexesWith(table, batch, "failed")) inputs.push(await reader.read(index));
  if (inputs.length === 0) throw sourceProblem("the batch has no failed inputs");
  const { overrides = [] } = await readHead(table, batch);
  return { inputs, placeOf: (index) => `inputs[${index}]`, overrides };
}
