import { useEffect, useState } from "react";
import { createRoot } from "react-dom/client";

export const show = (App) => createRoot(document.getElementById("root")).render(<App />);

/** What the server has at that address, once it is there. */
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

/** The books of a genre, or twenty of all. */
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
