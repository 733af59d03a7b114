import { Virtuoso } from "react-virtuoso";
import { show, useRecords } from "./shared/react.jsx";

show(() => {
  const orders = useRecords("/data/orders");
  return (
    <Virtuoso
      style={{ height: 400, width: 500 }}
      data={orders}
      itemContent={(_, { number, note }) => (
        <div className="order">
          <b>{number}</b>
          <p>{note}</p>
        </div>
      )}
    />
  );
});
