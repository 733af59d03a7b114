import { useState } from "react";
import AsyncSelect from "react-select/async";
import { Books, show } from "./shared/react.jsx";

const loadOptions = async (inputValue) => {
  const response = await fetch(`/data/genres?q=${encodeURIComponent(inputValue)}`);
  const { rows } = await response.json();
  return rows.map(({ name }) => ({ value: name, label: name }));
};

show(() => {
  const [genre, setGenre] = useState(null);
  return (
    <>
      <AsyncSelect
        aria-label="Genre"
        placeholder="Type a genre"
        loadOptions={loadOptions}
        onChange={setGenre}
      />
      <Books genre={genre?.value} />
    </>
  );
});
