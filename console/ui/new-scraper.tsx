import { useState } from "preact/hooks";
import { pageAddress } from "../format/page-address.ts";
import { navigate } from "../router/router.ts";
import { Button } from "./button.tsx";
import { Field } from "./field.tsx";

/** A form for the address of a page with a list. It opens the recorder with that address. */
export function NewScraper({ autofocus = false }: { autofocus?: boolean }) {
  const [address, setAddress] = useState("");
  const [error, setError] = useState<string>();
  const submit = (event: Event) => {
    event.preventDefault();
    const url = pageAddress(address);
    if (url === undefined) {
      return setError("Enter the address of a web page, such as https://example.org/books.");
    }
    navigate(`/record?url=${encodeURIComponent(url)}`);
  };
  return (
    <form class="new-scraper" onSubmit={submit} noValidate>
      <Field
        label="Paste the address of a page with a list"
        type="url"
        placeholder="https://…"
        autocomplete="off"
        spellcheck={false}
        autofocus={autofocus}
        value={address}
        onValue={setAddress}
        error={error}
      />
      <Button needs="write" kind="primary" type="submit">
        Find its lists
      </Button>
    </form>
  );
}
