import { TableVirtuoso } from "react-virtuoso";
import { show, useRecords } from "./shared/react.jsx";

show(() => (
  <TableVirtuoso
    style={{ height: 400 }}
    data={useRecords("/data/orders")}
    fixedHeaderContent={() => (
      <tr style={{ background: "white" }}>
        <th style={{ width: 150 }}>Order</th>
        <th>Customer</th>
        <th>City</th>
      </tr>
    )}
    itemContent={(_, { number, customer, city }) => (
      <>
        <td>{number}</td>
        <td>{customer}</td>
        <td>{city}</td>
      </>
    )}
  />
));
