import { Select, Space } from "antd";
import { useState } from "react";
import { genres } from "../data.ts";
import { Books, show } from "./shared/react.jsx";

show(() => {
  const [genre, setGenre] = useState();
  return (
    <>
      <Space>
        <Select
          showSearch
          placeholder="Select a genre"
          style={{ width: 200 }}
          onChange={setGenre}
          options={genres.map((name) => ({ value: name, label: name }))}
        />
      </Space>
      <Books genre={genre} />
    </>
  );
});
