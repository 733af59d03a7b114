import useSWRInfinite from "swr/infinite";
import { show } from "./shared/react.jsx";

const fetcher = (url) => fetch(url).then((response) => response.json());
const PAGE_SIZE = 12;

show(() => {
  const { data, size, setSize, isLoading } = useSWRInfinite(
    (index) => `/data/books?limit=${PAGE_SIZE}&offset=${index * PAGE_SIZE}`,
    fetcher,
  );
  const books = data ? data.flatMap(({ rows }) => rows) : [];
  const isLoadingMore = isLoading || (size > 0 && data && data[size - 1] === undefined);
  const isReachingEnd = books.length === data?.[0]?.total;
  return (
    <div>
      {books.map(({ id, title }) => (
        <p key={id} style={{ margin: "6px 0" }}>
          - {title}
        </p>
      ))}
      <button type="button" disabled={isLoadingMore || isReachingEnd} onClick={() => setSize(size + 1)}>
        {isLoadingMore ? "loading..." : isReachingEnd ? "no more books" : "load more"}
      </button>
    </div>
  );
});
