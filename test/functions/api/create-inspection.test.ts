import { expect, test } from "@jest/globals";
import { createInspection } from "../../../functions/api/create-inspection.ts";
import type { HttpError } from "../../../functions/api/http-error.ts";
import type { ApiDeps, ApiRequest } from "../../../functions/api/types.ts";
import type { Inspection } from "../../../functions/contract/inspections/inspection.ts";
import { createAccount } from "../../../functions/store/accounts.ts";
import { INSPECTIONS_PER_ACCOUNT } from "../../../functions/store/inspection-slots.ts";
import { startTable } from "../store/local-table.ts";

const table = await startTable();

/** Accounts whose inspections last until they are ended. */
async function scene() {
  const clock = { time: Date.parse("2026-11-21T00:00:00.000Z") };
  const ends: (() => void)[] = [];
  const now = () => new Date(clock.time);
  const deps = {
    table,
    now,
    log: { info() {}, error() {} },
    inspect: () => new Promise((resolve) => ends.push(() => resolve({ ok: true } as Inspection))),
  } as unknown as ApiDeps;
  for (const name of ["many", "other"])
    await createAccount(table, {
      name,
      credit_limit: null,
      rate_limit: null,
      created_at: now().toISOString(),
    });
  const ask = (account: string) => {
    const request = { account, body: { url: "https://example.org/" } } as ApiRequest<"createInspection">;
    return createInspection(request, deps).then(
      () => ({ status: 200, message: "", retryAfter: undefined }),
      ({ status, message, headers }: HttpError) => ({ status, message, retryAfter: headers["retry-after"] }),
    );
  };
  /** Until so many inspections were asked for. */
  const begun = async (count: number) => {
    while (ends.length < count) await new Promise(setImmediate);
  };
  return { clock, ends, ask, begun };
}

test("an account has at most four inspections in progress, and others have their own", async () => {
  const { clock, ends, ask, begun } = await scene();
  const first = Array.from({ length: INSPECTIONS_PER_ACCOUNT }, () => ask("many"));
  await begun(INSPECTIONS_PER_ACCOUNT);
  expect(await ask("many")).toEqual({
    status: 429,
    message: "The account already has 4 inspections in progress, the most it may have. Try again in 5 s.",
    retryAfter: "5",
  });
  const other = ask("other");
  await begun(INSPECTIONS_PER_ACCOUNT + 1);
  ends[0]?.();
  await Promise.race(first);
  const next = ask("many");
  await begun(INSPECTIONS_PER_ACCOUNT + 2);
  // Those of a process that died end by themselves.
  clock.time += 90_000;
  const late = ask("many");
  await begun(INSPECTIONS_PER_ACCOUNT + 3);
  for (const end of ends) end();
  for (const answer of await Promise.all([...first, other, next, late])) expect(answer.status).toBe(200);
});
