import { List } from "react-window";
import { show, useRecords } from "./shared/react.jsx";

function Row({ index, orders, style, ariaAttributes }) {
  const { number, customer, city } = orders[index];
  return (
    <div className="order" style={style} {...ariaAttributes}>
      <b>{number}</b> <span>{customer}</span> <i>{city}</i>
    </div>
  );
}

show(() => {
  const orders = useRecords("/data/orders");
  return (
    <List
      rowComponent={Row}
      rowCount={orders.length}
      rowHeight={25}
      rowProps={{ orders }}
      style={{ height: 300 }}
    />
  );
});
