import { counted } from "../format/numbers.ts";
import { Field, Select } from "../ui/field.tsx";
import type { GridColumn } from "./columns.ts";
import type { ArrangedRows } from "./use-arrangement.ts";

interface RowToolsProps {
  arrangement: ArrangedRows;
  columns: readonly GridColumn[];
}

/** Searches and sorts the rows. The names of the columns in the grid do the latter, too, but not by keyboard. */
export function RowTools({ arrangement: arranged, columns }: RowToolsProps) {
  const { arrangement, onArrange, view, isLoading, problem } = arranged;
  const { search, inColumn, order } = arrangement;
  const names = columns.filter(({ isHidden }) => !isHidden).map(({ name }) => name);
  const sort = (value: string) => {
    const column = names[Number(value.slice(1))];
    onArrange({
      ...arrangement,
      order: value === "" || column === undefined ? undefined : { column, isDescending: value[0] === "-" },
    });
  };
  return (
    <div class="row-tools">
      <Field
        label="Search"
        type="search"
        value={search}
        onValue={(value) => onArrange({ ...arrangement, search: value })}
      />
      <Select
        label="In"
        value={inColumn === undefined ? "" : String(names.indexOf(inColumn))}
        options={[
          { value: "", label: "all columns" },
          ...names.map((name, index) => ({ value: String(index), label: name })),
        ]}
        onValue={(value) =>
          onArrange({ ...arrangement, inColumn: value === "" ? undefined : names[Number(value)] })
        }
      />
      <Select
        label="Sort by"
        value={order === undefined ? "" : `${order.isDescending ? "-" : "+"}${names.indexOf(order.column)}`}
        options={[
          { value: "", label: "the order of the page" },
          ...names.flatMap((name, index) => [
            { value: `+${index}`, label: `${name}, ascending` },
            { value: `-${index}`, label: `${name}, descending` },
          ]),
        ]}
        onValue={sort}
      />
      <p class="hint" role="status">
        {problem ??
          (isLoading ? "Loading all rows…" : search !== "" && view && `${counted(view.count, "row")} found`)}
      </p>
    </div>
  );
}
