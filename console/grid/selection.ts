/** A cell, as the index of its row and the index of its column among the columns that are shown. */
export interface Cell {
  row: number;
  column: number;
}

/** The selected rectangle: all cells between two opposite corners, the anchor and the active cell. */
export interface Selection {
  anchor: Cell;
  active: Cell;
}

/** A rectangle of cells. All four indexes are included. */
export interface Area {
  top: number;
  bottom: number;
  left: number;
  right: number;
}

export const areaOf = ({ anchor, active }: Selection): Area => ({
  top: Math.min(anchor.row, active.row),
  bottom: Math.max(anchor.row, active.row),
  left: Math.min(anchor.column, active.column),
  right: Math.max(anchor.column, active.column),
});

export const isIn = ({ top, bottom, left, right }: Area, { row, column }: Cell): boolean =>
  row >= top && row <= bottom && column >= left && column <= right;

export interface Bounds {
  rows: number;
  columns: number;
  /** How many rows Page Up and Page Down move by. */
  page: number;
}

/** The cell that a key moves to from the active cell; undefined if the key moves nothing. */
export function moved(
  { row, column }: Cell,
  { key, ctrlKey, metaKey }: Pick<KeyboardEvent, "key" | "ctrlKey" | "metaKey">,
  { rows, columns, page }: Bounds,
): Cell | undefined {
  const far = ctrlKey || metaKey;
  const targets: Record<string, Cell> = {
    ArrowUp: { row: far ? 0 : row - 1, column },
    ArrowDown: { row: far ? rows - 1 : row + 1, column },
    ArrowLeft: { row, column: far ? 0 : column - 1 },
    ArrowRight: { row, column: far ? columns - 1 : column + 1 },
    PageUp: { row: row - page, column },
    PageDown: { row: row + page, column },
    Home: { row: far ? 0 : row, column: 0 },
    End: { row: far ? rows - 1 : row, column: columns - 1 },
  };
  const target = targets[key];
  return (
    target && {
      row: Math.min(Math.max(0, target.row), rows - 1),
      column: Math.min(Math.max(0, target.column), columns - 1),
    }
  );
}
