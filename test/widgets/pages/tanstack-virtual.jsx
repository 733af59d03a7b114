import { useVirtualizer } from "@tanstack/react-virtual";
import { useRef } from "react";
import { show, useRecords } from "./shared/react.jsx";

show(() => {
  const parentRef = useRef(null);
  const orders = useRecords("/data/orders");
  const rowVirtualizer = useVirtualizer({
    count: orders.length,
    getScrollElement: () => parentRef.current,
    estimateSize: () => 35,
  });
  return (
    <div ref={parentRef} style={{ height: 400, overflow: "auto" }}>
      <div style={{ height: `${rowVirtualizer.getTotalSize()}px`, width: "100%", position: "relative" }}>
        {rowVirtualizer.getVirtualItems().map(({ key, index, size, start }) => (
          <div
            key={key}
            className="order"
            style={{
              position: "absolute",
              top: 0,
              left: 0,
              width: "100%",
              height: `${size}px`,
              transform: `translateY(${start}px)`,
            }}
          >
            <b>{orders[index].number}</b> <span>{orders[index].customer}</span>
          </div>
        ))}
      </div>
    </div>
  );
});
