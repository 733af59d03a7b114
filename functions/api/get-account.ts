import packageJson from "../../package.json" with { type: "json" };
import { getAccount as readAccount } from "../store/accounts.ts";
import { RATE_LIMIT, RATE_WINDOW_MS } from "../store/api-keys.ts";
import { creditsUsed, monthOf } from "../store/credits.ts";
import { countRuns } from "../store/statuses.ts";
import { notFound } from "./http-error.ts";
import type { ApiHandler } from "./types.ts";

export const getAccount: ApiHandler<"getAccount"> = async ({ account }, { table, now }) => {
  const time = now();
  const [found, used, running] = await Promise.all([
    readAccount(table, account),
    creditsUsed(table, account, monthOf(time)),
    countRuns(table, account, "running"),
  ]);
  if (found === undefined) throw notFound("account");
  const { name, credit_limit, rate_limit } = found;
  const nextMonth = new Date(Date.UTC(time.getUTCFullYear(), time.getUTCMonth() + 1));
  return {
    json: {
      id: name,
      name,
      credits: { used, limit: credit_limit, resets_at: nextMonth.toISOString() },
      running: running ?? null,
      rate_limit: { requests: rate_limit ?? RATE_LIMIT, seconds: RATE_WINDOW_MS / 1000 },
      version: packageJson.version,
    },
  };
};
