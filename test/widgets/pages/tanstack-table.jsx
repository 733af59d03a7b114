import {
  createColumnHelper,
  flexRender,
  getCoreRowModel,
  getPaginationRowModel,
  useReactTable,
} from "@tanstack/react-table";
import { show, useRecords } from "./shared/react.jsx";

const helper = createColumnHelper();
const columns = [helper.accessor("title", {}), helper.accessor("author", {}), helper.accessor("price", {})];

show(() => {
  const table = useReactTable({
    data: useRecords("/data/books"),
    columns,
    getCoreRowModel: getCoreRowModel(),
    getPaginationRowModel: getPaginationRowModel(),
  });
  const { pageIndex } = table.getState().pagination;
  return (
    <div>
      <table>
        <thead>
          {table.getHeaderGroups().map((group) => (
            <tr key={group.id}>
              {group.headers.map((header) => (
                <th key={header.id}>{flexRender(header.column.columnDef.header, header.getContext())}</th>
              ))}
            </tr>
          ))}
        </thead>
        <tbody>
          {table.getRowModel().rows.map((row) => (
            <tr key={row.id}>
              {row.getVisibleCells().map((cell) => (
                <td key={cell.id}>{flexRender(cell.column.columnDef.cell, cell.getContext())}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <button type="button" onClick={() => table.firstPage()} disabled={!table.getCanPreviousPage()}>
        {"<<"}
      </button>
      <button type="button" onClick={() => table.previousPage()} disabled={!table.getCanPreviousPage()}>
        {"<"}
      </button>
      <button type="button" onClick={() => table.nextPage()} disabled={!table.getCanNextPage()}>
        {">"}
      </button>
      <button type="button" onClick={() => table.lastPage()} disabled={!table.getCanNextPage()}>
        {">>"}
      </button>
      <span>
        Page {pageIndex + 1} of {table.getPageCount()}
      </span>
    </div>
  );
});
