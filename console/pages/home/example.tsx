import { serviceFacts } from "../../api/service-facts.ts";

/** A link to the example bookshop, if the service runs one. */
export function Example() {
  const { exampleUrl: address } = serviceFacts();
  if (address === undefined) return null;
  return (
    <p class="soft">
      No page at hand? <a href={`/record?url=${encodeURIComponent(address)}`}>Try the example bookshop</a>,
      which runs on this machine.
    </p>
  );
}
