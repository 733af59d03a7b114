import { List, ListItem, ListItemText, Pagination } from "@mui/material";
import { useState } from "react";
import { show, useRecords } from "./shared/react.jsx";

show(() => {
  const [page, setPage] = useState(1);
  const people = useRecords(`/data/people?limit=8&offset=${(page - 1) * 8}`);
  return (
    <>
      <List>
        {people.map(({ id, name, office }) => (
          <ListItem key={id}>
            <ListItemText primary={name} secondary={office} />
          </ListItem>
        ))}
      </List>
      <Pagination count={8} page={page} onChange={(_, value) => setPage(value)} />
    </>
  );
});
