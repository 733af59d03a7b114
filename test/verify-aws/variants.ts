/** Stands in the template of the variant "restored" for the name of the table that the others have left. */
export const KEPT_TABLE = "gleaner-kept-table";

/** The settings of each variant of the stack that verify:aws deploys. */
export const variants = {
  first: { console: true },
  changed: { console: true, limits: { concurrentRuns: 7, executorMemory: 3008 }, retention: { runDays: 90 } },
  restored: { table: { existing: KEPT_TABLE } },
};
