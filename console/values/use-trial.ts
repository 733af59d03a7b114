import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { Definition, Inspection } from "../api/api.ts";
import { messageOf } from "../api/api-error.ts";
import { LatestInspection } from "../record/model/latest-inspection.ts";
import type { Preview } from "./preview.ts";

/** How many rows are read. */
const ROWS = 20;

/** Reads the first rows of a definition when the user asks for it. */
export function useTrial(definition: Definition): Preview {
  const trial = useMemo(() => new LatestInspection(), []);
  const [found, setFound] = useState<Inspection>();
  const latest = useRef(definition);
  latest.current = definition;
  useEffect(() => () => trial.stop(), [trial]);
  const { value: error } = trial.error;
  return {
    factsOf: (name) => found?.fields.find((field) => field.name === name),
    language: found?.page?.language,
    isBusy: trial.work.value !== undefined,
    problem: error === undefined ? found?.error?.message : messageOf(error),
    async read() {
      const body = { definition: latest.current, rows_limit: ROWS, want: ["rows" as const] };
      const next = await trial.ask(body, "Reading the values");
      if (next) setFound(next);
    },
  };
}
