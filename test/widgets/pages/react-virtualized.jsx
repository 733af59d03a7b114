import "react-virtualized/styles.css";
import { List } from "react-virtualized";
import { show, useRecords } from "./shared/react.jsx";

show(() => {
  const orders = useRecords("/data/orders");
  return (
    <List
      width={500}
      height={300}
      rowCount={orders.length}
      rowHeight={20}
      rowRenderer={({ key, index, style }) => (
        <div key={key} style={style} className="order">
          <b>{orders[index].number}</b> <span>{orders[index].customer}</span>
        </div>
      )}
    />
  );
});
