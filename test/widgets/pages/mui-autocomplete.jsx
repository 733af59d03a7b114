import { Autocomplete, TextField } from "@mui/material";
import { useState } from "react";
import { genres } from "../data.ts";
import { Books, show } from "./shared/react.jsx";

show(() => {
  const [genre, setGenre] = useState(null);
  return (
    <>
      <Autocomplete
        disablePortal
        options={genres}
        value={genre}
        onChange={(_, value) => setGenre(value)}
        sx={{ width: 300 }}
        renderInput={(params) => <TextField {...params} label="Genre" />}
      />
      <Books genre={genre} />
    </>
  );
});
