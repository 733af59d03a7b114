import { FormControl, InputLabel, MenuItem, Select } from "@mui/material";
import { useState } from "react";
import { genres } from "../data.ts";
import { Books, show } from "./shared/react.jsx";

show(() => {
  const [genre, setGenre] = useState("");
  return (
    <>
      <FormControl style={{ width: 240 }}>
        <InputLabel id="genre-label">Genre</InputLabel>
        <Select
          labelId="genre-label"
          id="genre"
          value={genre}
          label="Genre"
          onChange={(event) => setGenre(event.target.value)}
        >
          {genres.map((name) => (
            <MenuItem key={name} value={name.toLowerCase()}>
              {name}
            </MenuItem>
          ))}
        </Select>
      </FormControl>
      <Books genre={genres.find((name) => name.toLowerCase() === genre)} />
    </>
  );
});
