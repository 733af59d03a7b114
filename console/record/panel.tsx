import { useState } from "preact/hooks";
import { Loading } from "../ui/states.tsx";
import { Details } from "./details.tsx";
import { JsonView } from "./json-view.tsx";
import { Lists } from "./lists.tsx";
import type { Pointing } from "./model/pointing.ts";
import type { Recorder } from "./model/recorder.ts";
import { Notices } from "./notices.tsx";
import { PaginationSection } from "./pagination-section.tsx";
import { Rows } from "./rows.tsx";
import { Settings } from "./settings.tsx";

const VIEWS = ["Form", "JSON"] as const;

interface PanelProps {
  recorder: Recorder;
  pointing: Pointing;
  /** The index of the step at which a run failed, if the user came here from that run. */
  failedStep: number | undefined;
}

/** The panel beside the screenshot. It shows the definition as a form or as JSON. */
export function Panel({ recorder, pointing, failedStep }: PanelProps) {
  const [view, setView] = useState<(typeof VIEWS)[number]>("Form");
  const { value: look } = recorder.look;
  // If the page could not be opened, there are no lists to choose from.
  const isOpen = look !== undefined && look.error?.step !== 0;
  if (look === undefined && recorder.looking.work.value !== undefined)
    return <Loading what="the page" lines={9} />;
  return (
    <section class="panel" aria-label="Lists and settings">
      <fieldset class="segments">
        <legend class="visually-hidden">View</legend>
        {VIEWS.map((each) => (
          <button key={each} type="button" aria-pressed={each === view} onClick={() => setView(each)}>
            {each}
          </button>
        ))}
      </fieldset>
      <Notices recorder={recorder} failedStep={failedStep} />
      {view === "JSON" ? (
        <JsonView recorder={recorder} />
      ) : (
        <>
          {isOpen && <Lists recorder={recorder} pointing={pointing} />}
          <Rows recorder={recorder} />
          <Details recorder={recorder} />
          <PaginationSection recorder={recorder} />
          <Settings recorder={recorder} />
        </>
      )}
    </section>
  );
}
