import { useState } from "react";
import Select from "react-select";
import { genres } from "../data.ts";
import { Books, show } from "./shared/react.jsx";

const options = genres.map((name) => ({ value: name, label: name }));

show(() => {
  const [genre, setGenre] = useState(null);
  return (
    <>
      <Select value={genre} onChange={setGenre} options={options} />
      <Books genre={genre?.value} />
    </>
  );
});
