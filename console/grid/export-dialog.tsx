import { useEffect, useRef, useState } from "preact/hooks";
import { api, type FileFormat } from "../api/api.ts";
import { isAbort } from "../api/api-error.ts";
import { fileName } from "../format/file-name.ts";
import { counted } from "../format/numbers.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Checkbox } from "../ui/field.tsx";
import { Problems } from "../ui/states.tsx";
import { toast } from "../ui/toast.tsx";
import type { GridColumn } from "./columns.ts";
import type { RowsOwner } from "./rows-owner.ts";

const FORMATS: readonly { format: FileFormat; title: string; text: string }[] = [
  {
    format: "csv",
    title: "CSV",
    text: "For spreadsheets. Values that look like formulas get an apostrophe.",
  },
  {
    format: "xlsx",
    title: "Excel workbook",
    text: "One sheet, with numbers and dates where a column is certain to hold them.",
  },
  { format: "json", title: "JSON", text: "An array of objects, for programs." },
  { format: "jsonl", title: "JSON Lines", text: "An object per line, for large files." },
];

interface ExportDialogProps {
  owner: RowsOwner;
  columns: readonly GridColumn[];
  onClose: () => void;
}

/** Saves all rows as a file. The file is fetched by script, because a plain link can't send the API key. */
export function ExportDialog({ owner, columns, onClose }: ExportDialogProps) {
  const shown = columns.filter(({ isHidden }) => !isHidden).map(({ name }) => name);
  const isPart = shown.length < columns.length && shown.length > 0;
  const [isWhole, setWhole] = useState(false);
  const [busy, setBusy] = useState<FileFormat>();
  const [error, setError] = useState<unknown>();
  const controller = useRef(new AbortController());
  useEffect(() => () => controller.current.abort(), []);
  const save = async (format: FileFormat) => {
    setBusy(format);
    setError(undefined);
    try {
      const options = { format, ...(isPart && !isWhole && { fields: shown }) };
      const file = await api.rowsFile(owner.of, owner.id, options, controller.current.signal);
      download(file, fileName(owner.name, owner.created_at, format));
      toast("The file is saved.");
      onClose();
    } catch (failure) {
      if (isAbort(failure)) return;
      setError(failure);
      setBusy(undefined);
    }
  };
  return (
    <Dialog title="Export rows" onClose={onClose}>
      <p class="soft">
        All {counted(owner.row_count, "row")}
        {owner.isRunning && " so far"}, with{" "}
        {counted(isPart && !isWhole ? shown.length : columns.length, "column")}, in the order in which they
        were read.
      </p>
      {isPart && (
        <Checkbox
          label={`With the ${counted(columns.length - shown.length, "hidden column")}`}
          checked={isWhole}
          onValue={setWhole}
        />
      )}
      <ul class="choices">
        {FORMATS.map(({ format, title, text }) => (
          <li key={format}>
            <Button
              busy={busy === format}
              disabled={busy !== undefined && busy !== format}
              onClick={() => save(format)}
            >
              {title}
            </Button>
            <span class="hint">{text}</span>
          </li>
        ))}
      </ul>
      <Problems error={error} />
    </Dialog>
  );
}

function download(file: Blob, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  // By then, the browser has begun to read the file.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
