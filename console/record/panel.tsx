import { useEffect, useRef, useState } from "preact/hooks";
import { DefinitionView, VIEWS as OTHER_VIEWS, type View, Views } from "../definition/definition-view.tsx";
import { Loading } from "../ui/states.tsx";
import { type Preview, PreviewContext } from "../values/preview.ts";
import { Details } from "./details.tsx";
import { Lists } from "./lists.tsx";
import { factsOf } from "./model/findings.ts";
import type { Pointing } from "./model/pointing.ts";
import type { Recorder } from "./model/recorder.ts";
import { Notices } from "./notices.tsx";
import { PaginationSection } from "./pagination-section.tsx";
import { Rows } from "./rows.tsx";
import { Settings } from "./settings.tsx";

const VIEWS = ["Rows", ...OTHER_VIEWS] as const;
/** How long typing must pause before a change is applied, in ms, because each change may open the page again. */
const PAUSE_MS = 600;

interface PanelProps {
  recorder: Recorder;
  pointing: Pointing;
  /** The index of the step at which a run failed, if the user came here from that run. */
  failedStep: number | undefined;
}

/** The panel beside the picture: what the page gives, or the whole definition as a form or as JSON. */
export function Panel({ recorder, pointing, failedStep }: PanelProps) {
  const [view, setView] = useState<(typeof VIEWS)[number]>("Rows");
  const { value: look } = recorder.look;
  // If the page could not be opened, there are no lists to choose from.
  const isOpen = look !== undefined && look.error?.step !== 0;
  const { value: check } = recorder.check;
  const preview: Preview = {
    factsOf: (name) => factsOf(recorder.list.value, check, name),
    language: look?.page?.language,
    isBusy: recorder.isBusy.value,
    problem: check?.inspection.error?.message,
  };
  if (look === undefined && recorder.looking.work.value !== undefined)
    return <Loading what="the page" lines={9} />;
  return (
    <section class="panel" aria-label="Lists and settings">
      <Views views={VIEWS} current={view} onChoose={setView} />
      <Notices recorder={recorder} failedStep={failedStep} />
      <PreviewContext.Provider value={preview}>
        {view === "Rows" ? (
          <>
            {isOpen && <Lists recorder={recorder} pointing={pointing} />}
            <Rows recorder={recorder} />
            <Details recorder={recorder} />
            <PaginationSection recorder={recorder} />
            <Settings recorder={recorder} />
          </>
        ) : (
          <WholeDefinition recorder={recorder} view={view} />
        )}
      </PreviewContext.Provider>
    </section>
  );
}

/** The definition as a form or as JSON. A change is applied as soon as typing pauses, and when the view is left. */
function WholeDefinition({ recorder, view }: { recorder: Recorder; view: View }) {
  const { value: definition } = recorder.definition;
  const [draft, setDraft] = useState(definition);
  const latest = useRef(draft);
  latest.current = draft;
  const apply = () => {
    if (latest.current !== undefined) recorder.change(latest.current);
  };
  // The definition may change elsewhere, for example by a click on the picture.
  useEffect(() => setDraft(definition), [definition]);
  useEffect(() => {
    const timer = setTimeout(apply, PAUSE_MS);
    return () => clearTimeout(timer);
  }, [draft]);
  useEffect(() => apply, []);
  if (draft === undefined) return null;
  return <DefinitionView view={view} definition={draft} onValue={setDraft} />;
}
