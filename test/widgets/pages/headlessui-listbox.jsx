import { Field, Label, Listbox, ListboxButton, ListboxOption, ListboxOptions } from "@headlessui/react";
import { useState } from "react";
import { genres } from "../data.ts";
import { Books, show } from "./shared/react.jsx";

const all = ["All genres", ...genres];

show(() => {
  const [genre, setGenre] = useState(all[0]);
  return (
    <>
      <Field>
        <Label>Genre: </Label>
        <Listbox value={genre} onChange={setGenre}>
          <ListboxButton>{genre}</ListboxButton>
          <ListboxOptions anchor="bottom" style={{ background: "#eee", padding: 8 }}>
            {all.map((name) => (
              <ListboxOption key={name} value={name}>
                {name}
              </ListboxOption>
            ))}
          </ListboxOptions>
        </Listbox>
      </Field>
      <Books genre={genre === all[0] ? undefined : genre} />
    </>
  );
});
