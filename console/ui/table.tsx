import type { ComponentChildren } from "preact";

export interface Column<T> {
  /** The header. */
  title: string;
  cell: (item: T) => ComponentChildren;
  /** Numbers are on the right. */
  isNumber?: boolean;
  /** Not shown where there is little room. */
  isMinor?: boolean;
}

interface TableProps<T> {
  /** What the table is, for those who don't see it. */
  caption: string;
  columns: readonly Column<T>[];
  items: readonly T[];
  keyOf: (item: T) => string;
}

/** A table of some dozens of items. The first column heads its line. */
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
