import { useCallback, useEffect, useState } from "react";
import { Virtuoso } from "react-virtuoso";
import { show } from "./shared/react.jsx";

show(() => {
  const [orders, setOrders] = useState([]);
  const loadMore = useCallback(async () => {
    const response = await fetch(`/data/orders?limit=40&offset=${orders.length}`);
    const { rows } = await response.json();
    setOrders((before) => [...before, ...rows]);
  }, [orders.length]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once
  useEffect(() => {
    loadMore();
  }, []);
  const isWhole = orders.length >= 400;
  return (
    <Virtuoso
      style={{ height: 400 }}
      data={orders}
      endReached={() => !isWhole && loadMore()}
      itemContent={(_, { number, customer }) => (
        <div className="order" style={{ padding: 8 }}>
          <b>{number}</b> <span>{customer}</span>
        </div>
      )}
      components={{ Footer: () => (isWhole ? null : <div style={{ padding: "2rem" }}>Loading...</div>) }}
    />
  );
});
