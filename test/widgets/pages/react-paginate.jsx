import { useState } from "react";
import ReactPaginate from "react-paginate";
import { books } from "../data.ts";
import { show } from "./shared/react.jsx";

const itemsPerPage = 16;

show(() => {
  const [itemOffset, setItemOffset] = useState(0);
  return (
    <>
      {books.slice(itemOffset, itemOffset + itemsPerPage).map(({ id, title, year }) => (
        <div className="item" key={id}>
          <h3>{title}</h3>
          <span>{year}</span>
        </div>
      ))}
      <ReactPaginate
        breakLabel="..."
        nextLabel="next >"
        onPageChange={({ selected }) => setItemOffset((selected * itemsPerPage) % books.length)}
        pageRangeDisplayed={5}
        pageCount={Math.ceil(books.length / itemsPerPage)}
        previousLabel="< previous"
        renderOnZeroPageCount={null}
      />
    </>
  );
});
