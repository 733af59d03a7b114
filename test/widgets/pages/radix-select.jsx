import { Select } from "radix-ui";
import { useState } from "react";
import { genres } from "../data.ts";
import { Books, show } from "./shared/react.jsx";

show(() => {
  const [genre, setGenre] = useState("");
  return (
    <>
      <Select.Root value={genre} onValueChange={setGenre}>
        <Select.Trigger aria-label="Genre">
          <Select.Value placeholder="Select a genre…" />
          <Select.Icon />
        </Select.Trigger>
        <Select.Portal>
          <Select.Content style={{ background: "#eee" }}>
            <Select.Viewport>
              {genres.map((name) => (
                <Select.Item key={name} value={name}>
                  <Select.ItemText>{name}</Select.ItemText>
                </Select.Item>
              ))}
            </Select.Viewport>
          </Select.Content>
        </Select.Portal>
      </Select.Root>
      <Books genre={genre} />
    </>
  );
});
