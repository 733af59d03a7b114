import { useState } from "preact/hooks";
import { api, type Definition, type TaggedScraper } from "../api/api.ts";
import { hasStatus } from "../api/api-error.ts";
import { Conflict } from "../pages/scrapers/conflict.tsx";
import { definitionOf, type Store } from "../pages/scrapers/use-store.ts";
import { navigate } from "../router/router.ts";
import { Button } from "../ui/button.tsx";
import { Field } from "../ui/field.tsx";
import { Problems } from "../ui/states.tsx";
import type { Recorder } from "./model/recorder.ts";

interface SaveBarProps {
  recorder: Recorder;
  /** The stored scraper; undefined if it is not stored yet. */
  stored: TaggedScraper | undefined;
  onStored: (tagged: TaggedScraper) => void;
  isChanged: boolean;
}

/** The name of the scraper and the button that saves it. Saving waits until the last change has been tried. */
export function SaveBar({ recorder, stored, onStored, isChanged }: SaveBarProps) {
  const store = useSave(recorder, stored, onStored);
  const [run, setRun] = useState<{ isBusy: boolean; error?: unknown }>({ isBusy: false });
  const { value: definition } = recorder.definition;
  if (definition === undefined) return null;
  const start = async () => {
    if (stored === undefined) return;
    setRun({ isBusy: true });
    try {
      const { id } = await api.startRun({ scraper_id: stored.scraper.id });
      navigate(`/runs/${id}`);
    } catch (error) {
      setRun({ isBusy: false, error });
    }
  };
  const isSaved = stored !== undefined && !isChanged;
  const canSave = definition.steps.some(({ type }) => type === "get_list" || type === "get_text");
  return (
    <section class="save" aria-label="Save">
      <Problems error={store.error ?? run.error} />
      <Conflict store={store} />
      <form
        class="save-line"
        onSubmit={(event) => {
          event.preventDefault();
          if (!store.busy && !isSaved && canSave) void store.save();
        }}
      >
        <Field
          label="Name"
          value={definition.name}
          autocomplete="off"
          onValue={(name) => recorder.rename(name)}
        />
        {isSaved ? (
          <>
            <span class="status good" role="status">
              {stored.scraper.version === 1 ? "Saved" : `Saved as version ${stored.scraper.version}`}
            </span>
            <a class="button" href={`/scrapers/${stored.scraper.id}`}>
              Open the scraper
            </a>
            <Button needs="run" kind="primary" busy={run.isBusy} onClick={start}>
              Run it now
            </Button>
          </>
        ) : (
          <Button needs="write" kind="primary" type="submit" busy={store.busy} disabled={!canSave}>
            {store.busy ? store.doing : stored === undefined ? "Save scraper" : "Save changes"}
          </Button>
        )}
      </form>
    </section>
  );
}

interface Save extends Store {
  save: () => Promise<void>;
  /** What the save is doing, as a text for the button. */
  doing: string;
}

type SaveState = Pick<Store, "busy" | "error" | "conflict"> & { doing: string };
const IDLE: SaveState = { busy: false, error: undefined, conflict: undefined, doing: "" };

/** Creates the scraper, or replaces the loaded version and detects conflicts. */
function useSave(
  recorder: Recorder,
  stored: TaggedScraper | undefined,
  onStored: SaveBarProps["onStored"],
): Save {
  const [state, setState] = useState(IDLE);
  const done = (tagged: TaggedScraper) => {
    setState(IDLE);
    onStored(tagged);
  };
  const store = async (definition: Definition, etag = stored?.etag ?? "") => {
    setState({ ...IDLE, busy: true, doing: "Saving" });
    try {
      done(
        stored === undefined
          ? await api.createScraper(definition)
          : await api.replaceScraper(stored.scraper.id, definition, etag),
      );
    } catch (error) {
      if (stored === undefined || !hasStatus(error, 412)) return setState({ ...IDLE, error });
      const theirs = await api.getScraper(stored.scraper.id).catch(() => undefined);
      setState(
        theirs === undefined ? { ...IDLE, error } : { ...IDLE, conflict: { theirs, mine: definition } },
      );
    }
  };
  const save = async () => {
    if (recorder.isBusy.value) setState({ ...IDLE, busy: true, doing: "Trying the last change" });
    await recorder.whenSettled();
    const { value: definition } = recorder.definition;
    if (definition !== undefined) await store(definition);
  };
  const takeTheirs = () => {
    const { conflict } = state;
    setState(IDLE);
    if (conflict === undefined) return;
    onStored(conflict.theirs);
    void recorder.load(definitionOf(conflict.theirs.scraper));
  };
  return { ...state, store, takeTheirs, save };
}
