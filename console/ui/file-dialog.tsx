import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { FileFormat } from "../api/api.ts";
import { isAbort } from "../api/api-error.ts";
import { Button } from "./button.tsx";
import { Dialog } from "./dialog.tsx";
import { Problems } from "./states.tsx";
import { toast } from "./toast.tsx";

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

interface FileDialogProps {
  title: string;
  /** Fetches the file. */
  load: (format: FileFormat, signal: AbortSignal) => Promise<Blob>;
  /** Returns the name of the file. */
  name: (format: FileFormat) => string;
  onClose: () => void;
  children: ComponentChildren;
}

/** Saves rows as a file. The file is fetched by script, because a plain link can't send the API key. */
export function FileDialog({ title, load, name, onClose, children }: FileDialogProps) {
  const [busy, setBusy] = useState<FileFormat>();
  const [error, setError] = useState<unknown>();
  const controller = useRef(new AbortController());
  useEffect(() => () => controller.current.abort(), []);
  const save = async (format: FileFormat) => {
    setBusy(format);
    setError(undefined);
    try {
      download(await load(format, controller.current.signal), name(format));
      toast("The file is saved.");
      onClose();
    } catch (failure) {
      if (isAbort(failure)) return;
      setError(failure);
      setBusy(undefined);
    }
  };
  return (
    <Dialog title={title} onClose={onClose}>
      {children}
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

/** Saves a file. */
export function download(file: Blob, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  // By then, the browser has begun to read the file.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
