import * as v from "valibot";

/** What created a run: the console, a schedule, the API, or an integration such as an agent. */
export const RunSource = v.picklist(["app", "scheduler", "api", "integration"]);
export type RunSource = v.InferOutput<typeof RunSource>;

export const RunStatus = v.picklist(["running", "successful", "failed"]);
export type RunStatus = v.InferOutput<typeof RunStatus>;
