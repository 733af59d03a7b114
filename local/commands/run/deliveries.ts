import type { RunWebhook } from "../../../functions/contract/runs/run-webhook.ts";
import type { RowsDelivery } from "../../../functions/contract/scrapers/delivery.ts";
import { connect, pathOf } from "../../client/api.ts";
import { findId } from "../../client/find-id.ts";
import type { Where } from "../../client/target.ts";
import { CommandError, EXIT } from "../../command-error.ts";
import { tableOf } from "../../table-of.ts";
import { print, printJson } from "../../terminal/print.ts";
import { inLines } from "../webhook.ts";

/** Shows the deliveries of the rows of a run or a batch, after sending them again if that is wanted. */
export async function deliveries(
  named: string,
  { resend, json, ...where }: Where & { resend?: boolean; json?: boolean },
): Promise<void> {
  const api = await connect(where);
  const id = await findId(api, "runs", named);
  const { deliveries: found } = resend
    ? (await api.json<RunWebhook>(pathOf("runs", id, "/webhook/resend?what=deliveries"), { method: "POST" }))
        .body
    : await api.get<RunWebhook>(pathOf("runs", id, "/webhook"));
  if (json) return printJson(found);
  if (found.length === 0)
    throw new CommandError(
      EXIT.notFound,
      "The rows were sent nowhere: the scraper had no `deliveries` when the run ended, the run has not ended, or that is more than 30 days ago.",
    );
  print(tableOf(["to", "mode", "state", "at", "ms", "answer"], found.flatMap(linesOf)));
}

/** A line for each attempt; one for a delivery without any. */
function linesOf({ to, mode, state, next_attempt_at: next, attempts }: RowsDelivery) {
  const head = [inLines(to), mode, state === "pending" && next !== null ? `${state}, next\n${next}` : state];
  if (attempts.length === 0) return [[...head, "", "", ""]];
  return attempts.map(({ at, duration_ms, answer }, index) => [
    ...(index === 0 ? head : ["", "", ""]),
    at,
    duration_ms,
    inLines(answer),
  ]);
}
