import { bytes, count } from "../format/numbers.ts";
import { CopyButton } from "../ui/copy.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { SafeLink } from "../ui/safe-link.tsx";
import { visible } from "./text.ts";

interface CellDialogProps {
  name: string;
  /** The number of the row, from 1. */
  number: number;
  /** Undefined if the row does not have this field. */
  value: string | undefined;
  onClose: () => void;
}

/** Shows a whole value, which the grid may cut off. */
export function CellDialog({ name, number, value, onClose }: CellDialogProps) {
  return (
    <Dialog
      title={name}
      isWide
      onClose={onClose}
      actions={value !== undefined && <CopyButton text={value} what="the value" label="Copy the value" />}
    >
      <p class="facts">
        <span>Row {count(number)}</span>
        {value !== undefined && <span>{sizeOf(value)}</span>}
      </p>
      {value === undefined ? (
        <p class="soft">This row does not have this field.</p>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a text that scrolls has to be reached by keyboard.
        <div class="value" dir="auto" tabIndex={0}>
          {value === "" ? <span class="soft">An empty text.</span> : <SafeLink value={visible(value)} />}
        </div>
      )}
    </Dialog>
  );
}

const sizeOf = (value: string): string =>
  value.length < 10_000 ? `${count(value.length)} characters` : bytes(new Blob([value]).size);
