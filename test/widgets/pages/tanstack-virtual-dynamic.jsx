import { useVirtualizer } from "@tanstack/react-virtual";
import { useRef } from "react";
import { show, useRecords } from "./shared/react.jsx";

show(() => {
  const parentRef = useRef(null);
  const orders = useRecords("/data/orders?limit=300");
  const virtualizer = useVirtualizer({
    count: orders.length,
    getScrollElement: () => parentRef.current,
    estimateSize: () => 45,
  });
  const items = virtualizer.getVirtualItems();
  return (
    <div ref={parentRef} style={{ height: 400, width: 400, overflowY: "auto", contain: "strict" }}>
      <div style={{ height: virtualizer.getTotalSize(), width: "100%", position: "relative" }}>
        <div
          style={{
            position: "absolute",
            top: 0,
            left: 0,
            width: "100%",
            transform: `translateY(${items[0]?.start ?? 0}px)`,
          }}
        >
          {items.map(({ key, index }) => (
            <div key={key} data-index={index} ref={virtualizer.measureElement} className="order">
              <div style={{ padding: "10px 0" }}>
                <div className="number">{orders[index].number}</div>
                <div className="note">{orders[index].note}</div>
              </div>
            </div>
          ))}
        </div>
      </div>
    </div>
  );
});
