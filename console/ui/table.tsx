import type { ComponentChildren } from "preact";

export interface Column<T> {
  /** The text of the column header. */
  title: string;
  cell: (item: T) => ComponentChildren;
  /** Whether the cells are aligned to the right, like numbers. */
  isNumber?: boolean;
  /** Whether the column is hidden on narrow screens. */
  isMinor?: boolean;
}

interface TableProps<T> {
  /** The visually hidden caption, for screen readers. */
  caption: string;
  columns: readonly Column<T>[];
  items: readonly T[];
  keyOf: (item: T) => string;
}

/** A table for some dozens of items. The cells of the first column are row headers. */
export function Table<T>({ caption, columns, items, keyOf }: TableProps<T>) {
  return (
    <div class="table-frame">
      <table class="table">
        <caption class="visually-hidden">{caption}</caption>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column.title} scope="col" class={classOf(column)}>
                {column.title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {items.map((item) => (
            <tr key={keyOf(item)}>
              {columns.map((column, index) =>
                index === 0 ? (
                  <th key={column.title} scope="row" class={classOf(column)}>
                    {column.cell(item)}
                  </th>
                ) : (
                  <td key={column.title} class={classOf(column)}>
                    {column.cell(item)}
                  </td>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

const classOf = ({ isNumber, isMinor }: Column<never>): string =>
  `${isNumber ? "number" : ""} ${isMinor ? "minor" : ""}`;
