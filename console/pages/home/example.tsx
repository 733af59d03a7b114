/** The example of a service that has one: a small shop to try things on. */
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

/** The server that serves this page says where its example is. */
const exampleAddress = (): string | undefined =>
  document.querySelector<HTMLMetaElement>('meta[name="gleaner-example"]')?.content;
