import * as v from "valibot";
import { idOf } from "../tool.ts";

/** Arguments that name a run or a batch. */
export const runOrBatch = {
  run_id: v.optional(idOf("run")),
  batch_id: v.optional(idOf("batch")),
};

interface RunOrBatch {
  run_id?: string | undefined;
  batch_id?: string | undefined;
}

/** Requires that exactly one of both is given. */
export const namesOne = <T extends RunOrBatch>() =>
  v.check<T, string>(
    ({ run_id, batch_id }) => (run_id === undefined) !== (batch_id === undefined),
    "requires run_id or batch_id, and not both",
  );

/** The path of what the arguments name. */
export const pathOf = ({ run_id, batch_id }: RunOrBatch): string =>
  batch_id === undefined ? `/v1/runs/${run_id}` : `/v1/batches/${batch_id}`;
