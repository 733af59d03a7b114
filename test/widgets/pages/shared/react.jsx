import { useEffect, useState } from "react";
import { createRoot } from "react-dom/client";

export const show = (App) => createRoot(document.getElementById("root")).render(<App />);

/** The records that the server returns for an address; an empty array until they have arrived. */
export function useRecords(address) {
  const [records, setRecords] = useState([]);
  useEffect(() => {
    let wanted = true;
    fetch(address)
      .then((response) => response.json())
      .then(({ rows }) => wanted && setRecords(rows));
    return () => {
      wanted = false;
    };
  }, [address]);
  return records;
}

/** A list of the books of a genre. Without a genre, the first 20 books. */
export function Books({ genre }) {
  const books = useRecords(genre ? `/data/books?genre=${genre}` : "/data/books?limit=20");
  return (
    <ul id="list">
      {books.map(({ id, title, price }) => (
        <li className="book" key={id}>
          <b>{title}</b> <i>{price}</i>
        </li>
      ))}
    </ul>
  );
}
