import { useId, useMemo } from "preact/hooks";
import { splitInterval } from "../format/schedule.ts";
import { fromLocal, isTimeZone, timeZones, toLocal } from "../format/zones.ts";
import { Checkbox, Field, Select } from "./field.tsx";
import { NextTimes } from "./next-times.tsx";

export interface EditedSchedule {
  interval: string;
  timezone: string;
  next_run?: string | undefined;
  paused?: boolean | undefined;
}

const UNITS = ["minute", "hour", "day", "week", "month"].map((value) => ({ value, label: `${value}s` }));

/** Edits a schedule, and shows its next times. */
export function ScheduleFields({
  schedule,
  onValue,
}: {
  schedule: EditedSchedule;
  onValue: (schedule: EditedSchedule) => void;
}) {
  const zones = useMemo(timeZones, []);
  const id = useId();
  const { count, unit } = splitInterval(schedule.interval) ?? { count: Number.NaN, unit: "day" };
  const { timezone, next_run, paused = false } = schedule;
  const isZone = isTimeZone(timezone);
  const isValid = isZone && splitInterval(schedule.interval) !== undefined;
  const setInterval = (amount: string, of: string) =>
    onValue({ ...schedule, interval: `${amount} ${of}${amount === "1" ? "" : "s"}` });
  return (
    <div class="stack">
      <div class="field-row">
        <Field
          label="Every"
          type="number"
          min={1}
          inputMode="numeric"
          value={Number.isNaN(count) ? (schedule.interval.split(" ")[0] ?? "") : String(count)}
          onValue={(value) => setInterval(value, unit)}
          error={splitInterval(schedule.interval) === undefined ? "Enter a whole number from 1." : undefined}
        />
        <Select
          label="Unit"
          value={unit}
          options={UNITS}
          onValue={(value) => setInterval(String(count), value)}
        />
      </div>
      <div class="field-row">
        <Field
          label="Next time"
          type="datetime-local"
          value={next_run === undefined || !isZone ? "" : toLocal(next_run, timezone)}
          onValue={(value) =>
            onValue({ ...schedule, next_run: isZone ? fromLocal(value, timezone) : next_run })
          }
          hint="In the time zone of the schedule. The others are counted from it."
        />
        <Field
          label="Time zone"
          list={id}
          value={timezone}
          spellcheck={false}
          onValue={(value) => onValue({ ...schedule, timezone: value })}
          error={isZone ? undefined : "Choose a time zone such as Europe/Berlin."}
        />
        <datalist id={id}>
          {zones.map((zone) => (
            <option key={zone} value={zone} />
          ))}
        </datalist>
      </div>
      <Checkbox
        label="Paused: it starts no runs"
        checked={paused}
        onValue={(checked) => onValue({ ...schedule, paused: checked || undefined })}
      />
      {isValid && (
        <div class="card">
          <NextTimes schedule={schedule} />
        </div>
      )}
    </div>
  );
}
