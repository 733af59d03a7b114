import { useEffect, useRef, useState } from "preact/hooks";
import { DefinitionView, VIEWS as OTHER_VIEWS, type View, Views } from "../definition/definition-view.tsx";
import { Button } from "../ui/button.tsx";
import { Section } from "../ui/page.tsx";
import { isWebAddress } from "../ui/safe-link.tsx";
import { Loading } from "../ui/states.tsx";
import { type Preview, PreviewContext } from "../values/preview.ts";
import { Lists } from "./lists.tsx";
import { addressFieldOf, keyOf } from "./model/definition.ts";
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

/** Lets the user pick values that are on the detail page of each row. */
function Details({ recorder }: { recorder: Recorder }) {
  const { value: list } = recorder.list;
  const { value: check } = recorder.check;
  const field = list && addressFieldOf(list);
  if (list === undefined || field === undefined) return null;
  const name = check?.list.fields.find((each) => keyOf(each) === keyOf(field))?.name ?? field.name;
  const address = check?.inspection.rows?.map((row) => row[name] ?? "").find(isWebAddress);
  const count = list.details?.fields.length ?? 0;
  return (
    <Section
      title="Each row’s page"
      aside={
        <Button
          class="small"
          disabled={address === undefined || recorder.detail.value !== undefined}
          onClick={() => address !== undefined && void recorder.openDetail(address)}
        >
          {count === 0 ? "Pick values there…" : "Pick more values…"}
        </Button>
      }
    >
      <p class="soft small">
        {count === 0
          ? `Not opened. The column ${field.name} has its address.`
          : `Opened for each row, by the column ${list.details?.url_field}. The rows above show the first three.`}
      </p>
    </Section>
  );
}
