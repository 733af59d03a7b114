import packageJson from "../../package.json" with { type: "json" };
import { PAGE_SIZE } from "../contract/route.ts";
import { ROWS_LIMIT_MAX } from "../contract/runs/rows-limit.ts";
import { FEATURES } from "../contract/service-routes.ts";
import { RUN_TIME_LIMIT_MS } from "../runs/run-limits.ts";
import { getAccount as readAccount } from "../store/accounts.ts";
import { RATE_LIMIT, RATE_WINDOW_MS } from "../store/api-keys.ts";
import { creditsUsed, monthOf } from "../store/credits.ts";
import { countRuns } from "../store/runs/statuses.ts";
import { STORAGE_LIMIT, storedBytes } from "../store/storage.ts";
import { notFound } from "./http-error.ts";
import { MAX_BODY_BYTES } from "./parse-body.ts";
import type { ApiHandler } from "./types.ts";

export const getAccount: ApiHandler<"getAccount"> = async ({ account, caller }, { table, now }) => {
  const time = now();
  const [found, used, stored, running] = await Promise.all([
    readAccount(table, account),
    creditsUsed(table, account, monthOf(time)),
    storedBytes(table, account),
    countRuns(table, account, "running"),
  ]);
  if (found === undefined) throw notFound("account");
  const { name, credit_limit, rate_limit, storage_limit } = found;
  const nextMonth = new Date(Date.UTC(time.getUTCFullYear(), time.getUTCMonth() + 1));
  return {
    json: {
      id: name,
      name,
      credits: { used, limit: credit_limit, resets_at: nextMonth.toISOString() },
      storage: { used: stored, limit: storage_limit ?? STORAGE_LIMIT },
      running: running ?? null,
      access: {
        key_id: caller.key?.id ?? null,
        user: caller.user ?? null,
        scope: caller.scope,
        expires_at: caller.key?.expires_at ?? null,
      },
      limits: {
        rows_per_run: ROWS_LIMIT_MAX,
        run_seconds: RUN_TIME_LIMIT_MS / 1000,
        body_bytes: MAX_BODY_BYTES,
        page_size: PAGE_SIZE,
      },
      features: FEATURES,
      rate_limit: { requests: rate_limit ?? RATE_LIMIT, seconds: RATE_WINDOW_MS / 1000 },
      version: packageJson.version,
    },
  };
};
