import { useState } from "preact/hooks";
import { api, type Definition, type Scraper, type TaggedScraper } from "../../api/api.ts";
import { hasStatus } from "../../api/api-error.ts";
import { toast } from "../../ui/toast.tsx";

/** The part of a scraper that a client can change: all but its times, version and last run. */
export function definitionOf(scraper: Scraper): Definition {
  const { created_at: _, updated_at: __, version: ___, last_run: ____, ...definition } = scraper;
  return definition as Definition;
}

export interface Store {
  busy: boolean;
  error: unknown;
  /** A version that was stored since this page was loaded (`theirs`), and the one that could not be stored (`mine`). */
  conflict: { theirs: TaggedScraper; mine: Definition } | undefined;
  /** Stores a definition if the stored version still has `etag`, by default that of the loaded one. */
  store: (definition: Definition, etag?: string) => Promise<void>;
  /** Resolves the conflict by taking the stored version. */
  takeTheirs: () => void;
}

/** Stores changes of a scraper, and detects conflicts. `onStored` gets the version that is stored now. */
export function useStore({ scraper, etag }: TaggedScraper, onStored: (tagged: TaggedScraper) => void): Store {
  const [state, setState] = useState<Omit<Store, "store" | "takeTheirs">>({
    busy: false,
    error: undefined,
    conflict: undefined,
  });
  const idle = { busy: false, error: undefined, conflict: undefined };
  const store = async (definition: Definition, over = etag) => {
    setState((before) => ({ ...before, busy: true, error: undefined }));
    try {
      const stored = await api.replaceScraper(scraper.id, definition, over);
      setState(idle);
      onStored(stored);
      toast(stored.etag === over ? "Nothing has changed." : `Saved as version ${stored.scraper.version}.`);
    } catch (error) {
      if (!hasStatus(error, 412)) return setState({ ...idle, error });
      try {
        setState({ ...idle, conflict: { theirs: await api.getScraper(scraper.id), mine: definition } });
      } catch (failure) {
        setState({ ...idle, error: failure });
      }
    }
  };
  const takeTheirs = () => {
    if (state.conflict !== undefined) onStored(state.conflict.theirs);
    setState(idle);
  };
  return { ...state, store, takeTheirs };
}
