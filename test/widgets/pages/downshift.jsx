import { useSelect } from "downshift";
import { useEffect, useState } from "react";
import { createRoot } from "react-dom/client";

const genres = ["Biography", "Crime", "Fantasy", "Poetry", "Romance", "Travel"];

function App() {
  const [books, setBooks] = useState([]);
  const { isOpen, selectedItem, getToggleButtonProps, getLabelProps, getMenuProps, getItemProps } = useSelect(
    { items: genres },
  );
  useEffect(() => {
    const query = selectedItem ? `genre=${selectedItem}` : "limit=20";
    fetch(`/data/books?${query}`)
      .then((answer) => answer.json())
      .then(({ rows }) => setBooks(rows));
  }, [selectedItem]);
  return (
    <>
      <label {...getLabelProps()}>Genre</label>
      <div {...getToggleButtonProps()}>{selectedItem ?? "Choose a genre"}</div>
      <ul {...getMenuProps()}>
        {isOpen &&
          genres.map((item, index) => (
            <li key={item} {...getItemProps({ item, index })}>
              {item}
            </li>
          ))}
      </ul>
      <ul id="list">
        {books.map(({ id, title, price }) => (
          <li key={id} className="book">
            <b>{title}</b> <i>{price}</i>
          </li>
        ))}
      </ul>
    </>
  );
}

createRoot(document.getElementById("root")).render(<App />);
