/**
 * Every way in which a run can fail, by code. `transient`: the same attempt may work a moment later, so the
 * engine tries again inside the run's budget before it gives up. The wording of each failure is made where it
 * happens, from what is known there, and always ends with what a person can check or do.
 */
export const failureCodes = {
  navigation_failed: { transient: true },
  http_error: { transient: false },
  blocked_address: { transient: false },
  not_html: { transient: false },
  element_not_found: { transient: false },
  element_ambiguous: { transient: false },
  invalid_step: { transient: false },
  timeout: { transient: false },
  too_large: { transient: false },
  page_crashed: { transient: true },
  browser_failed: { transient: true },
  credits_exhausted: { transient: false },
  internal_error: { transient: false },
} as const satisfies Record<string, { transient: boolean }>;
export type FailureCode = keyof typeof failureCodes;

/** Why a run can't go on. `step` is the index of the step to blame, or null; `cause` keeps what was caught. */
export class RunFailure extends Error {
  override readonly name = "RunFailure";
  readonly code: FailureCode;
  step: number | null;

  constructor(code: FailureCode, message: string, options: { step?: number; cause?: unknown } = {}) {
    super(message, { cause: options.cause });
    this.code = code;
    this.step = options.step ?? null;
  }
}
