import { VList } from "virtua";
import { show, useRecords } from "./shared/react.jsx";

show(() => (
  <VList data={useRecords("/data/orders")} style={{ height: 500 }}>
    {({ id, number, note }) => (
      <div key={id} className="order" style={{ borderBottom: "solid 1px #ccc", maxWidth: 500 }}>
        <b>{number}</b>
        <p>{note}</p>
      </div>
    )}
  </VList>
));
