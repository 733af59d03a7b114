import { DataGrid } from "@mui/x-data-grid";
import { show, useRecords } from "./shared/react.jsx";

const columns = [
  { field: "number", headerName: "Order" },
  { field: "customer", headerName: "Customer", width: 200 },
  { field: "city", headerName: "City" },
];

show(() => (
  <div style={{ height: 400, width: "100%" }}>
    <DataGrid rows={useRecords("/data/orders")} columns={columns} />
  </div>
));
