import { Select } from "@kobalte/core/select";
import { createResource, createSignal, For } from "solid-js";
import { render } from "solid-js/web";
import { genres } from "../data.ts";

function App() {
  const [genre, setGenre] = createSignal("");
  const [books] = createResource(
    () => (genre() ? `genre=${genre()}` : "limit=20"),
    async (query) => (await (await fetch(`/data/books?${query}`)).json()).rows,
  );
  return (
    <>
      <Select
        value={genre()}
        onChange={setGenre}
        options={[...genres]}
        placeholder="Select a genre…"
        itemComponent={(props) => (
          <Select.Item item={props.item}>
            <Select.ItemLabel>{props.item.rawValue}</Select.ItemLabel>
          </Select.Item>
        )}
      >
        <Select.Label>Genre </Select.Label>
        <Select.Trigger aria-label="Genre">
          <Select.Value>{(state) => state.selectedOption()}</Select.Value>
        </Select.Trigger>
        <Select.Portal>
          <Select.Content style={{ background: "#eee" }}>
            <Select.Listbox />
          </Select.Content>
        </Select.Portal>
      </Select>
      <ul id="list">
        <For each={books()}>
          {({ title, price }) => (
            <li class="book">
              <b>{title}</b> <i>{price}</i>
            </li>
          )}
        </For>
      </ul>
    </>
  );
}

render(() => <App />, document.getElementById("root"));
