import type { ComponentChildren } from "preact";
import { Button } from "./button.tsx";
import { Dialog } from "./dialog.tsx";
import { useSending } from "./form-dialog.tsx";
import { Problems } from "./states.tsx";

interface ConfirmProps {
  title: string;
  /** The label of the button that confirms. */
  action: string;
  /** The style of that button. */
  kind?: "danger" | "primary";
  onConfirm: () => Promise<void>;
  onClose: () => void;
  children: ComponentChildren;
}

/** A dialog that asks for a confirmation before an action, such as one that can't be undone. */
export function Confirm({ title, action, kind = "danger", onConfirm, onClose, children }: ConfirmProps) {
  const { isBusy, error, submit } = useSending();
  return (
    <Dialog
      title={title}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind={kind} busy={isBusy} onClick={() => submit(onConfirm)}>
            {action}
          </Button>
        </>
      }
    >
      {children}
      <Problems error={error} />
    </Dialog>
  );
}
