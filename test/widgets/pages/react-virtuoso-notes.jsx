import { Virtuoso } from "react-virtuoso";
import { show, useRecords } from "./shared/react.jsx";

show(() => (
  <Virtuoso
    useWindowScroll
    data={useRecords("/data/orders?limit=150")}
    itemContent={(_, { note }) => (
      <div className="note" style={{ padding: "8px 0", maxWidth: 400 }}>
        {note}
      </div>
    )}
  />
));
