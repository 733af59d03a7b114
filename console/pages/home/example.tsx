/** A link to the example bookshop, if the service runs one. */
export function Example() {
  const address = exampleAddress();
  if (address === undefined) return null;
  return (
    <p class="soft">
      No page at hand? <a href={`/record?url=${encodeURIComponent(address)}`}>Try the example bookshop</a>,
      which runs on this machine.
    </p>
  );
}

/** The address of the example, which the server writes into a meta element; undefined if it runs none. */
const exampleAddress = (): string | undefined =>
  document.querySelector<HTMLMetaElement>('meta[name="gleaner-example"]')?.content;
