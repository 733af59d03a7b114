import { QueryClient, QueryClientProvider, useInfiniteQuery } from "@tanstack/react-query";
import { Fragment } from "react";
import { show } from "./shared/react.jsx";

const queryClient = new QueryClient();

function Projects() {
  const { data, fetchNextPage, hasNextPage, isFetching, isFetchingNextPage, status } = useInfiniteQuery({
    queryKey: ["orders"],
    queryFn: ({ pageParam }) =>
      fetch(`/data/orders?limit=30&offset=${pageParam}`).then((response) => response.json()),
    initialPageParam: 0,
    getNextPageParam: (_, pages) => (pages.length < 5 ? pages.length * 30 : undefined),
  });
  if (status === "pending") return <p>Loading...</p>;
  return (
    <>
      {data.pages.map(({ rows }) => (
        <Fragment key={rows[0].id}>
          {rows.map(({ id, number, city }) => (
            <p className="order" key={id}>
              <b>{number}</b> <i>{city}</i>
            </p>
          ))}
        </Fragment>
      ))}
      <div>
        <button type="button" onClick={() => fetchNextPage()} disabled={!hasNextPage || isFetching}>
          {isFetchingNextPage ? "Loading more..." : hasNextPage ? "Load More" : "Nothing more to load"}
        </button>
      </div>
    </>
  );
}

show(() => (
  <QueryClientProvider client={queryClient}>
    <Projects />
  </QueryClientProvider>
));
