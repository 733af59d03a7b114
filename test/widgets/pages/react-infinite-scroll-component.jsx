import { useState } from "react";
import InfiniteScroll from "react-infinite-scroll-component";
import { books } from "../data.ts";
import { show } from "./shared/react.jsx";

show(() => {
  const [items, setItems] = useState(books.slice(0, 20));
  const fetchMoreData = () => {
    // A fake async api call like which sends 20 more records in 1.5 secs.
    setTimeout(() => setItems(books.slice(0, items.length + 20)), 1500);
  };
  return (
    <div>
      <h1>demo: react-infinite-scroll-component</h1>
      <InfiniteScroll
        dataLength={items.length}
        next={fetchMoreData}
        hasMore={items.length < books.length}
        loader={<h4>Loading...</h4>}
        endMessage={<p>Yay! You have seen it all</p>}
      >
        {items.map(({ id, title, author }) => (
          <div
            className="item"
            style={{ height: 60, border: "1px solid green", margin: 6, padding: 8 }}
            key={id}
          >
            <b>{title}</b> <span>{author}</span>
          </div>
        ))}
      </InfiniteScroll>
    </div>
  );
});
