import { A, HashRouter, Route, useParams } from "@solidjs/router";
import { createResource, For, Show } from "solid-js";
import { render } from "solid-js/web";

const load = async (query) => (await (await fetch(`/data/books?${query}`)).json()).rows;

function Home() {
  const [books] = createResource(() => load("limit=10"));
  return (
    <ul>
      <For each={books()}>
        {({ id, title }) => (
          <li class="item">
            <A href={`/item/${id}`}>{title}</A>
          </li>
        )}
      </For>
    </ul>
  );
}

function Item() {
  const params = useParams();
  const [books] = createResource(
    () => params.id,
    (id) => load(`id=${id}`),
  );
  return (
    <Show when={books()?.[0]} fallback={<p>Loading...</p>}>
      {(book) => (
        <>
          <h2>{book().title}</h2>
          <p class="author">{book().author}</p>
          <p class="blurb">{book().blurb}</p>
        </>
      )}
    </Show>
  );
}

render(
  () => (
    <HashRouter>
      <Route path="/" component={Home} />
      <Route path="/item/:id" component={Item} />
    </HashRouter>
  ),
  document.getElementById("root"),
);
