import { useState } from "preact/hooks";
import { Details } from "./details.tsx";
import { GoingOn } from "./going-on.tsx";
import { JsonView } from "./json-view.tsx";
import { Lists } from "./lists.tsx";
import type { Pointing } from "./model/pointing.ts";
import type { Recorder } from "./model/recorder.ts";
import { Notices } from "./notices.tsx";
import { Rows } from "./rows.tsx";
import { Settings } from "./settings.tsx";

const VIEWS = ["Form", "JSON"] as const;

/** What the scraper reads: as a form or as JSON, two views of one definition. */
export function Panel({ recorder, pointing }: { recorder: Recorder; pointing: Pointing }) {
  const [view, setView] = useState<(typeof VIEWS)[number]>("Form");
  const { value: look } = recorder.look;
  // The lists of an error's page are nothing to choose from.
  const isOpen = look !== undefined && look.error?.step !== 0;
  return (
    <section class="panel" aria-label="What it reads">
      <fieldset class="segments">
        <legend class="visually-hidden">View</legend>
        {VIEWS.map((each) => (
          <button key={each} type="button" aria-pressed={each === view} onClick={() => setView(each)}>
            {each}
          </button>
        ))}
      </fieldset>
      <Notices recorder={recorder} />
      {view === "JSON" ? (
        <JsonView recorder={recorder} />
      ) : (
        <>
          {isOpen && <Lists recorder={recorder} pointing={pointing} />}
          <Rows recorder={recorder} />
          <Details recorder={recorder} />
          <GoingOn recorder={recorder} />
          <Settings recorder={recorder} />
        </>
      )}
    </section>
  );
}
