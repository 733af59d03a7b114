import { useState } from "preact/hooks";
import type { Definition, TaggedScraper } from "../../api/api.ts";
import { everyDay } from "../../format/schedule.ts";
import { Button } from "../../ui/button.tsx";
import { type EditedSchedule, ScheduleFields } from "../../ui/schedule-fields.tsx";
import { Problems } from "../../ui/states.tsx";
import { Conflict } from "./conflict.tsx";
import { definitionOf, useStore } from "./use-store.ts";

interface TabProps {
  tagged: TaggedScraper;
  onStored: (tagged: TaggedScraper) => void;
}

/** Edits the schedule of a scraper. */
export function ScheduleTab({ tagged, onStored }: TabProps) {
  const { scraper } = tagged;
  const [schedule, setSchedule] = useState<EditedSchedule | null>(scraper.schedule);
  const store = useStore(tagged, (next) => {
    onStored(next);
    setSchedule(next.scraper.schedule);
  });
  const save = (changed: EditedSchedule | null) =>
    store.store({ ...definitionOf(scraper), schedule: changed as Definition["schedule"] & object });
  const isChanged = JSON.stringify(schedule) !== JSON.stringify(scraper.schedule);
  return (
    <div class="stack form">
      {schedule === null ? (
        <>
          <p class="lead">It runs only when somebody starts it.</p>
          <div class="buttons">
            <Button onClick={() => setSchedule(everyDay())}>Set a schedule</Button>
          </div>
        </>
      ) : (
        <ScheduleFields schedule={schedule} onValue={setSchedule} />
      )}
      {(scraper.inputs !== undefined || scraper.inputs_from !== undefined) && (
        <p class="hint">
          Each time, it starts a batch with the inputs of the scraper, which are in its JSON definition.
        </p>
      )}
      <Problems error={store.error} />
      <Conflict store={store} />
      {(schedule !== null || scraper.schedule !== null) && (
        <div class="buttons">
          <Button
            needs="write"
            kind="primary"
            busy={store.busy}
            disabled={!isChanged}
            onClick={() => save(schedule)}
          >
            Save
          </Button>
          {schedule !== null && <Button onClick={() => setSchedule(null)}>Remove the schedule</Button>}
        </div>
      )}
    </div>
  );
}
