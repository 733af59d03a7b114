import * as v from "valibot";
import { changeKinds } from "../../contract/runs/changes.ts";
import type { Run } from "../../contract/runs/run.ts";
import { linesWithin, roomFor } from "../answer.ts";
import { jsonOf } from "../api-client.ts";
import { defineTool, idOf } from "../tool.ts";
import { firstLines } from "./get-rows.ts";

export const getChanges = defineTool({
  name: "get_changes",
  scope: "read",
  title: "Get changes",
  description:
    "Returns the rows of a finished run that are new, changed (with the old values) or removed since the scraper's last good " +
    "run, as lines of JSON. The scraper's list needs a key. An answer has as many changes as fit into 25,000 characters.",
  annotations: { readOnlyHint: true, openWorldHint: false },
  input: v.strictObject({
    run_id: idOf("run"),
    kinds: v.optional(
      v.pipe(
        v.array(v.picklist(changeKinds)),
        v.minLength(1, "must have at least one kind"),
        v.description("Only changes of these kinds."),
      ),
    ),
  }),
  async run(call, { run_id, kinds }) {
    const run = await jsonOf<Run>(call(`/v1/runs/${run_id}`, { query: { rows: false } }));
    const response = await call(`/v1/runs/${run_id}/changes`, {
      query: { format: "jsonl", kinds: kinds?.join(",") },
    });
    const summary = summaryOf(run);
    const room = roomFor(`${summary}${CUT}`);
    const lines = await firstLines(response, room);
    const changes = linesWithin(lines, room);
    return {
      summary: changes.length < lines.length ? `${summary}${CUT}` : summary,
      ...(changes.length > 0 && { data: changes.join("\n") }),
    };
  },
});

const CUT = " These are the first changes. For all of them, tell the user how to export them.";

function summaryOf({ changes }: Run): string {
  if (changes === null) return "The run was not compared.";
  const { baseline, mostly_changed: mostly, message } = changes;
  return [
    `${changes.new} rows are new, ${changes.changed} changed, ${changes.removed} removed and ${changes.same} the same.`,
    ...(baseline === null ? [] : [`They are compared with run ${baseline}.`]),
    ...mostly.map(({ field, count }) => `The field "${field}" differs in ${count} rows.`),
    ...(message === null ? [] : [message]),
  ].join(" ");
}
