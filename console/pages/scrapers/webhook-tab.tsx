import { useState } from "preact/hooks";
import type { TaggedScraper } from "../../api/api.ts";
import { Button } from "../../ui/button.tsx";
import { Field } from "../../ui/field.tsx";
import { isWebAddress } from "../../ui/safe-link.tsx";
import { Problems } from "../../ui/states.tsx";
import { Conflict } from "./conflict.tsx";
import { definitionOf, useStore } from "./use-store.ts";

interface TabProps {
  tagged: TaggedScraper;
  onStored: (tagged: TaggedScraper) => void;
}

/** Edits the address to which finished runs are sent. */
export function WebhookTab({ tagged, onStored }: TabProps) {
  const stored = tagged.scraper.webhook_url ?? "";
  const [url, setUrl] = useState(stored);
  const store = useStore(tagged, (next) => {
    onStored(next);
    setUrl(next.scraper.webhook_url ?? "");
  });
  const typed = url.trim();
  const isWrong = typed !== "" && !isWebAddress(typed);
  const submit = (event: Event) => {
    event.preventDefault();
    if (isWrong) return;
    void store.store({ ...definitionOf(tagged.scraper), webhook_url: typed === "" ? null : typed });
  };
  return (
    <form class="stack form" onSubmit={submit} noValidate>
      <p class="lead">The service sends each finished run, with its rows, as JSON to this address.</p>
      <Field
        label="Address"
        type="url"
        placeholder="https://…"
        spellcheck={false}
        value={url}
        onValue={setUrl}
        error={isWrong ? "Enter an address that begins with https:// or http://, or nothing." : undefined}
        hint="Requests are signed as the Standard Webhooks specification says, and repeated for 30 hours until they are accepted."
      />
      <Problems error={store.error} />
      <Conflict store={store} />
      <div class="buttons">
        <Button needs="write" kind="primary" type="submit" busy={store.busy} disabled={typed === stored}>
          Save
        </Button>
      </div>
    </form>
  );
}
