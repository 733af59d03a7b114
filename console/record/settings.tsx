import { ROWS_LIMIT_DEFAULT } from "../../functions/contract/runs/rows-limit.ts";
import type { Definition } from "../api/api.ts";
import { count } from "../format/numbers.ts";
import { everyDay, inWords } from "../format/schedule.ts";
import { Checkbox, Field } from "../ui/field.tsx";
import { ProxySelect } from "../ui/proxy-select.tsx";
import { ScheduleFields } from "../ui/schedule-fields.tsx";
import { NO_PAGES } from "./model/definition.ts";
import type { Recorder } from "./model/recorder.ts";
import { SessionFields } from "./session-fields.tsx";

/** The settings that have a default. They are collapsed to a one-line summary. */
export function Settings({ recorder }: { recorder: Recorder }) {
  const { value: definition } = recorder.definition;
  if (definition === undefined) return null;
  const {
    rows_limit = ROWS_LIMIT_DEFAULT,
    schedule = null,
    webhook_url = null,
    proxy = { type: "none" },
  } = definition;
  const change = (values: Partial<Definition>) => recorder.change({ ...definition, ...values });
  const words = [
    Number.isNaN(rows_limit) ? "No maximum of rows given" : `At most ${count(rows_limit)} rows`,
    schedule === null ? "no schedule" : inWords(schedule),
    webhook_url === null ? "no webhook" : "webhook",
    ...(proxy.type === "none" ? [] : [`${proxy.type} proxy`]),
    ...(definition.session ? [`signed in by ${definition.session.name}`] : []),
  ].join(" · ");
  return (
    <details class="settings">
      <summary>
        <span class="settings-title">Limit, schedule, webhook, proxy</span>
        <span class="soft small">{words}</span>
      </summary>
      <div class="stack settings-body">
        <div class="field-row">
          <Field
            label="Maximum rows"
            type="number"
            min={1}
            max={1_000_000}
            inputMode="numeric"
            value={Number.isNaN(rows_limit) ? "" : String(rows_limit)}
            onValue={(value) => change({ rows_limit: value === "" ? Number.NaN : Number(value) })}
          />
          <ProxySelect type={proxy.type} onType={(type) => change({ proxy: { ...proxy, type } })} />
        </div>
        <SessionFields recorder={recorder} />
        {(definition.pagination ?? NO_PAGES).type !== "none" && (
          <PagesLimit definition={definition} change={change} />
        )}
        <Field
          label="Webhook"
          type="url"
          placeholder="https://…"
          spellcheck={false}
          value={webhook_url ?? ""}
          onValue={(value) => change({ webhook_url: value === "" ? null : value })}
          hint="Each finished run is sent there."
        />
        <Checkbox
          label="Run on a schedule"
          checked={schedule !== null}
          onValue={(checked) => change({ schedule: checked ? everyDay() : null })}
        />
        {schedule !== null && (
          <ScheduleFields
            schedule={schedule}
            onValue={(next) => change({ schedule: next as NonNullable<Definition["schedule"]> })}
          />
        )}
      </div>
    </details>
  );
}

function PagesLimit({
  definition,
  change,
}: {
  definition: Definition;
  change: (values: Partial<Definition>) => void;
}) {
  const pagination = definition.pagination ?? NO_PAGES;
  const max = "max_pages" in pagination ? pagination.max_pages : undefined;
  return (
    <Field
      label="Maximum pages"
      type="number"
      min={1}
      inputMode="numeric"
      placeholder="All"
      value={max === undefined ? "" : String(max)}
      onValue={(value) => {
        const { max_pages: _, ...rest } = { max_pages: 0, ...pagination };
        change({
          pagination: { ...rest, ...(value !== "" && { max_pages: Number(value) }) } as typeof pagination,
        });
      }}
    />
  );
}
