import type { RunWarning } from "../contract/runs/run.ts";
import type { WarningCode } from "../runs/warning.ts";
import { STORED } from "./limits.ts";

export interface Warning extends RunWarning {
  code: WarningCode;
}

/**
 * Warns of a request that was not answered within the timeout of a step, and may bring what the step has read.
 * @param address of the request; undefined: there is none
 */
export function warnLate(
  warnings: Warnings,
  what: "rows" | "values",
  { url, address, step }: { url: string; address: string | undefined; step: number },
): void {
  if (address === undefined) return;
  const message = `${url} requested ${address}, and had no answer in time when ${what} were read. If the answer brings ${what}, they are missing or old: increase the step's timeout_ms. If the page keeps that request open to be told of news, nothing is wrong.`;
  warnings.add({ code: `${what}_may_be_missing`, message, step });
}

/**
 * Warns of a field whose selector matches several elements, of which the first one counts.
 * @param where how many of which rows, or the page
 */
export function warnSeveral(
  warnings: Warnings,
  where: string,
  {
    name: field,
    selector,
    isHidden,
    ...of
  }: {
    name: string;
    selector?: string | undefined;
    isHidden?: boolean | undefined;
    step: number;
    count?: number;
  },
): void {
  const why = isHidden ? "the first one is hidden, and another one is shown" : "in others, fewer do";
  const message = `Several elements with different values match the selector ${selector} of the field "${field}" ${where}; ${why}. The first value counts. Set "all": true to get all of them, use a selector that matches the wanted one, or set "all": false if the first is always the right one.`;
  warnings.add({ code: "field_ambiguous", message, field, ...of });
}

export type Warnings = ReturnType<typeof createWarnings>;

/** The warnings of a run. @param before what earlier attempts at the run warned of */
export function createWarnings(before: readonly RunWarning[] = []) {
  const warnings = before.map((warning) => ({ ...warning }));
  let bytes = Buffer.byteLength(JSON.stringify(warnings));
  let isChanged = false;
  return {
    /** Adds a warning. Of those with the same code, step and field the first is kept, and the counts are added up. */
    add(warning: Warning): void {
      isChanged = true;
      const { code, step, field, count, message } = warning;
      const same = warnings.find((one) => one.code === code && one.step === step && one.field === field);
      if (same) {
        if (count !== undefined) same.count = (same.count ?? 0) + count;
        return;
      }
      const short =
        message.length > STORED.warning ? `${message.slice(0, STORED.warning).toWellFormed()}…` : message;
      const added = { ...warning, message: short };
      bytes += Buffer.byteLength(JSON.stringify(added));
      if (bytes <= STORED.warnings) warnings.push(added);
    },
    /** All warnings so far. */
    all(): RunWarning[] {
      isChanged = false;
      return warnings.map((warning) => ({ ...warning }));
    },
    /** Whether there are warnings that `all` has not told yet. */
    get isChanged(): boolean {
      return isChanged;
    },
  };
}
