import { useEffect, useErrorBoundary, useState } from "preact/hooks";
import type { Definition, TaggedScraper } from "../../../api/api.ts";
import { differences } from "../../../format/differences.ts";
import { guardPage } from "../../../router/router.ts";
import { Button } from "../../../ui/button.tsx";
import { CopyButton } from "../../../ui/copy.tsx";
import { TextArea } from "../../../ui/field.tsx";
import { Problems } from "../../../ui/states.tsx";
import { Conflict } from "../conflict.tsx";
import { definitionOf, useStore } from "../use-store.ts";
import { DefinitionForm, type DefinitionFormProps } from "./definition-form.tsx";

interface TabProps {
  tagged: TaggedScraper;
  onStored: (tagged: TaggedScraper) => void;
}

const asText = (definition: Definition) => JSON.stringify(definition, null, 2);

/** Edits the definition of a scraper, in a form or as JSON. Both are views of the same draft. */
export function DefinitionTab({ tagged, onStored }: TabProps) {
  const stored = definitionOf(tagged.scraper);
  const [draft, setDraft] = useState(stored);
  const [text, setText] = useState(asText(stored));
  const [isJson, setJson] = useState(false);
  const replace = (definition: Definition) => {
    setDraft(definition);
    setText(asText(definition));
  };
  const store = useStore(tagged, (next) => {
    onStored(next);
    replace(definitionOf(next.scraper));
  });
  const problem = isJson ? problemOf(text) : undefined;
  const isChanged = problem !== undefined || differences(draft, stored).length > 0;
  useGuard(isChanged);
  const type = (value: string) => {
    setText(value);
    if (problemOf(value) === undefined) setDraft(JSON.parse(value));
  };
  return (
    <div class="stack">
      <div class="section-head">
        <fieldset class="segments">
          <legend class="visually-hidden">View</legend>
          <ViewButton
            title="Form"
            isCurrent={!isJson}
            isPossible={problem === undefined}
            onClick={() => setJson(false)}
          />
          <ViewButton title="JSON" isCurrent={isJson} isPossible onClick={() => setJson(true)} />
        </fieldset>
        <CopyButton text={text} what="the definition" label="Copy JSON" />
      </div>
      {isJson ? (
        <TextArea label="Definition" value={text} onValue={type} error={problem} />
      ) : (
        <FormIfPossible definition={draft} onValue={replace} />
      )}
      <Problems error={store.error} />
      <Conflict store={store} />
      <div class={`save-bar ${isChanged ? "changed" : ""}`}>
        <span class="soft">
          {isChanged ? "Changes are not saved yet." : `Version ${tagged.scraper.version}`}
        </span>
        <div class="buttons">
          <Button disabled={!isChanged} onClick={() => replace(stored)}>
            Undo changes
          </Button>
          <Button
            kind="primary"
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

/**
 * The form, or a message if it can't show the draft: valid JSON may have values of a wrong type, such as a list as
 * name.
 */
function FormIfPossible(props: DefinitionFormProps) {
  const [error] = useErrorBoundary();
  if (error === undefined) return <DefinitionForm {...props} />;
  return (
    <p class="notice warn" role="alert">
      The form can’t show this definition, because some values are of another kind than it expects. Correct
      them in the JSON.
    </p>
  );
}

interface ViewButtonProps {
  title: string;
  isCurrent: boolean;
  isPossible: boolean;
  onClick: () => void;
}

function ViewButton({ title, isCurrent, isPossible, onClick }: ViewButtonProps) {
  return (
    <button type="button" aria-pressed={isCurrent} disabled={!isPossible} onClick={onClick}>
      {title}
    </button>
  );
}

/** Why a text can't be a definition; undefined if it may be one. The service does the full validation. */
function problemOf(text: string): string | undefined {
  try {
    const value: unknown = JSON.parse(text);
    const isDefinition =
      typeof value === "object" && value !== null && Array.isArray((value as { steps?: unknown }).steps);
    return isDefinition ? undefined : "A definition is an object with a name and a list of steps.";
  } catch (error) {
    return `This is not valid JSON: ${error instanceof Error ? error.message : ""}`;
  }
}

/** Asks the user for a confirmation before leaving the page with unsaved changes. */
function useGuard(isChanged: boolean): void {
  useEffect(() => {
    guardPage(isChanged ? () => confirm("Leave without saving your changes?") : undefined);
    return () => guardPage(undefined);
  }, [isChanged]);
}
