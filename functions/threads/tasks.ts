import type { Row } from "../contract/runs/run.ts";
import type { Transform } from "../contract/steps/transform.ts";
import { describeFindings, type Findings } from "../inspections/describe-findings.ts";
import { type Broken, suggestRepair } from "../proposals/repair/suggest.ts";
import { CUT_AT } from "../proposals/snapshot.ts";
import { createHider, type Hider } from "../secrets/hide.ts";
import { transformRows } from "../values/transform-rows.ts";

/** The secrets of a run: pairs of name and value. */
export type SecretValues = readonly (readonly [name: string, value: string])[];

let last: { key: string; hider: Hider } | undefined;

/** A hider takes some milliseconds to make, and a thread searches for the same secrets again and again. */
function hiderFor(secrets: SecretValues): Hider {
  const key = JSON.stringify(secrets);
  if (last?.key !== key) last = { key, hider: createHider(new Map(secrets)) };
  return last.hider;
}

interface ToTransform {
  rows: Row[];
  columns: [string, readonly Transform[]][];
  /** The language that the page of the rows states. */
  language?: string | undefined;
}

/** Computations over what a page, a site or a client chose. Each takes and returns plain JSON. */
export const tasks = {
  /** Makes the answer to an inspection. */
  describe: (findings: Findings) => describeFindings(findings),
  /** Hides secrets in every text of a value. `cutAt` is that of `Hider.json`. */
  hide: ({ secrets, value, cutAt }: { secrets: SecretValues; value: unknown; cutAt: number[] }): unknown =>
    hiderFor(secrets).json(value, cutAt),
  /** The same for a snapshot of a page as JSON. */
  hideInSnapshot: ({ secrets, snapshot }: { secrets: SecretValues; snapshot: string }): string =>
    JSON.stringify(hiderFor(secrets).json(JSON.parse(snapshot), Object.values(CUT_AT))),
  /** Hides secrets, and the beginnings of secrets, in messages. */
  hideInMessages: ({ secrets, messages }: { secrets: SecretValues; messages: string[] }): string[] =>
    messages.map(hiderFor(secrets).message),
  /** Changes the values of rows by the transforms of their fields. */
  transform: ({ rows, columns, language }: ToTransform) => transformRows(rows, columns, language),
  /** Suggests a selector in place of one that finds nothing on a page. */
  suggestRepair: ({ snapshot, broken, rows }: { snapshot: string; broken: Broken; rows: Row[] }) =>
    suggestRepair(JSON.parse(snapshot), broken, rows),
  /** The names of the secrets that a text has. */
  find: ({ secrets, text }: { secrets: SecretValues; text: string }): string[] => [
    ...hiderFor(secrets).namesIn(text),
  ],
};

export type Tasks = typeof tasks;
