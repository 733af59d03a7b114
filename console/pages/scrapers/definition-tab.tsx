import { useEffect, useState } from "preact/hooks";
import type { TaggedScraper } from "../../api/api.ts";
import { DefinitionView, VIEWS, type View, Views } from "../../definition/definition-view.tsx";
import { handOver } from "../../definition/draft.ts";
import { differences } from "../../format/differences.ts";
import { guardPage, navigate } from "../../router/router.ts";
import { Button } from "../../ui/button.tsx";
import { CopyButton } from "../../ui/copy.tsx";
import { Problems } from "../../ui/states.tsx";
import { PreviewContext } from "../../values/preview.ts";
import { useTrial } from "../../values/use-trial.ts";
import { Conflict } from "./conflict.tsx";
import { definitionOf, useStore } from "./use-store.ts";

interface TabProps {
  tagged: TaggedScraper;
  onStored: (tagged: TaggedScraper) => void;
}

/**
 * Edits the definition of a scraper, as a form or as JSON. The recorder has the same views, and continues with the draft
 * on the page that it reads.
 */
export function DefinitionTab({ tagged, onStored }: TabProps) {
  const { id } = tagged.scraper;
  const stored = definitionOf(tagged.scraper);
  const [draft, setDraft] = useState(stored);
  const [view, setView] = useState<View>("Form");
  const [problem, setProblem] = useState<string>();
  const preview = useTrial(draft);
  const store = useStore(tagged, (next) => {
    onStored(next);
    setDraft(definitionOf(next.scraper));
  });
  const isChanged = problem !== undefined || differences(draft, stored).length > 0;
  useGuard(isChanged);
  const record = () => {
    handOver(id, draft);
    guardPage(undefined);
    navigate(`/record?scraper=${id}`);
  };
  return (
    <div class="stack">
      <div class="section-head">
        <Views views={VIEWS} current={view} onChoose={setView} disabled={problem !== undefined} />
        <div class="buttons">
          <CopyButton text={JSON.stringify(draft, null, 2)} what="the definition" label="Copy JSON" />
          <Button class="small" disabled={problem !== undefined} onClick={record}>
            Edit in the recorder
          </Button>
        </div>
      </div>
      <PreviewContext.Provider value={preview}>
        <DefinitionView view={view} definition={draft} onValue={setDraft} onProblem={setProblem} />
      </PreviewContext.Provider>
      <Problems error={store.error} />
      <Conflict store={store} />
      <div class={`save-bar ${isChanged ? "changed" : ""}`}>
        <span class="soft">
          {isChanged ? "Changes are not saved yet." : `Version ${tagged.scraper.version}`}
        </span>
        <div class="buttons">
          <Button disabled={!isChanged} onClick={() => setDraft(stored)}>
            Undo changes
          </Button>
          <Button
            kind="primary"
            needs="write"
            busy={store.busy}
            disabled={!isChanged || problem !== undefined}
            onClick={() => store.store(draft)}
          >
            Save
          </Button>
        </div>
      </div>
    </div>
  );
}

/** Asks the user for a confirmation before leaving the page with unsaved changes. */
function useGuard(isChanged: boolean): void {
  useEffect(() => {
    guardPage(isChanged ? () => confirm("Leave without saving your changes?") : undefined);
    return () => guardPage(undefined);
  }, [isChanged]);
}
