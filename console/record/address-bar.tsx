import { useState } from "preact/hooks";
import { pageAddress } from "../format/page-address.ts";
import { setQuery } from "../router/router.ts";
import { Button } from "../ui/button.tsx";
import { Field } from "../ui/field.tsx";
import { addressOf, withReplacedStep } from "./model/definition.ts";
import type { Recorder } from "./model/recorder.ts";

/** A form for the address to open. For a stored scraper, the address replaces that of its first visit step. */
export function AddressBar({ recorder, isStored }: { recorder: Recorder; isStored: boolean }) {
  const { value: definition } = recorder.definition;
  const address = definition === undefined ? "" : addressOf(definition);
  const [typed, setTyped] = useState<string>();
  const [error, setError] = useState<string>();
  const isBusy = recorder.looking.work.value !== undefined;
  const open = (event: Event) => {
    event.preventDefault();
    const url = pageAddress(typed ?? address);
    if (url === undefined) {
      return setError("Enter the address of a web page, such as example.org/books.");
    }
    setError(undefined);
    setTyped(undefined);
    const visit = definition?.steps.findIndex(({ type }) => type === "visit") ?? -1;
    const step = definition?.steps[visit];
    if (isStored && definition !== undefined && step?.type === "visit") {
      if (step.url === url) recorder.again();
      else recorder.change(withReplacedStep(definition, visit, { ...step, url }));
      return undefined;
    }
    setQuery({ url });
    void recorder.open(url);
    return undefined;
  };
  return (
    <form class="address" onSubmit={open} noValidate>
      <Field
        label="Address of a page with a list"
        type="url"
        inputMode="url"
        placeholder="example.org/books"
        autocomplete="off"
        spellcheck={false}
        autofocus={definition === undefined}
        value={typed ?? address}
        onValue={setTyped}
        error={error}
      />
      <Button kind={definition === undefined ? "primary" : undefined} type="submit" busy={isBusy}>
        {definition === undefined ? "Find its lists" : "Open"}
      </Button>
    </form>
  );
}
