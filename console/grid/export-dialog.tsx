import { useState } from "preact/hooks";
import { api } from "../api/api.ts";
import { fileName } from "../format/file-name.ts";
import { counted } from "../format/numbers.ts";
import { Checkbox } from "../ui/field.tsx";
import { FileDialog } from "../ui/file-dialog.tsx";
import type { GridColumn } from "./columns.ts";
import type { RowsOwner } from "./rows-owner.ts";

interface ExportDialogProps {
  owner: RowsOwner;
  columns: readonly GridColumn[];
  onClose: () => void;
}

/** Saves all rows as a file. */
export function ExportDialog({ owner, columns, onClose }: ExportDialogProps) {
  const shown = columns.filter(({ isHidden }) => !isHidden).map(({ name }) => name);
  const isPart = shown.length < columns.length && shown.length > 0;
  const [isWhole, setWhole] = useState(false);
  const isCut = isPart && !isWhole;
  return (
    <FileDialog
      title="Export rows"
      load={(format, signal) =>
        api.rowsFile(owner.of, owner.id, { format, ...(isCut && { fields: shown }) }, signal)
      }
      name={(format) => fileName(owner.name, owner.created_at, format)}
      onClose={onClose}
    >
      <p class="soft">
        All {counted(owner.row_count, "row")}
        {owner.isRunning && " so far"}, with {counted(isCut ? shown.length : columns.length, "column")}, in
        the order in which they were read.
      </p>
      {isPart && (
        <Checkbox
          label={`With the ${counted(columns.length - shown.length, "hidden column")}`}
          checked={isWhole}
          onValue={setWhole}
        />
      )}
    </FileDialog>
  );
}
