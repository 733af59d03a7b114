import { DataGrid } from "@mui/x-data-grid";
import { show, useRecords } from "./shared/react.jsx";

const columns = [
  { field: "title", headerName: "Title", width: 260 },
  { field: "author", headerName: "Author", width: 200 },
  { field: "price", headerName: "Price", width: 100 },
];

show(() => (
  <div style={{ height: 500, width: "100%" }}>
    <DataGrid
      rows={useRecords("/data/books")}
      columns={columns}
      initialState={{ pagination: { paginationModel: { page: 0, pageSize: 10 } } }}
      pageSizeOptions={[5, 10]}
      checkboxSelection
    />
  </div>
));
