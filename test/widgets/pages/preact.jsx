/** @jsxImportSource preact */
import { render } from "preact";
import { useEffect, useState } from "preact/hooks";

/** A search as you type, with one request for each letter. */
function App() {
  const [query, setQuery] = useState("");
  const [people, setPeople] = useState([]);
  useEffect(() => {
    const abort = new AbortController();
    fetch(`/data/people?q=${encodeURIComponent(query)}`, { signal: abort.signal })
      .then((response) => response.json())
      .then(({ rows }) => setPeople(rows))
      .catch(() => {});
    return () => abort.abort();
  }, [query]);
  return (
    <>
      <input
        type="search"
        aria-label="Find a person"
        onInput={(event) => setQuery(event.currentTarget.value)}
      />
      <ul>
        {people.map(({ id, name, office }) => (
          <li key={id}>
            <b>{name}</b> <i>{office}</i>
          </li>
        ))}
      </ul>
    </>
  );
}

render(<App />, document.getElementById("root"));
