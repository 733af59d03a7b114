import type { ComponentChildren } from "preact";
import { useId, useState } from "preact/hooks";
import { problemAt } from "../api/api-error.ts";
import { Button } from "./button.tsx";
import { Dialog } from "./dialog.tsx";
import { Problems } from "./states.tsx";

/** The state of a form whose values the service checks. `submit` does nothing while it is in progress. */
export function useSending() {
  const [state, setState] = useState<{ isBusy: boolean; error?: unknown }>({ isBusy: false });
  return {
    isBusy: state.isBusy,
    error: state.error,
    /** What is wrong with the value at a path, such as `deliveries[0].path`; undefined: nothing. */
    wrong: (path: string) => problemAt(state.error, path),
    async submit(send: () => Promise<unknown>) {
      if (state.isBusy) return;
      setState({ isBusy: true });
      try {
        await send();
        setState({ isBusy: false });
      } catch (error) {
        setState({ isBusy: false, error });
      }
    },
  };
}

interface FormDialogProps {
  title: string;
  /** What the button says that sends the form. */
  action: string;
  sending: ReturnType<typeof useSending>;
  /** The paths of the fields that show what is wrong with them. All else is shown at the end. */
  shown?: readonly string[];
  isWide?: boolean;
  stays?: boolean;
  onClose: () => void;
  onSubmit: () => void;
  children: ComponentChildren;
}

/** A dialog with a form. */
export function FormDialog({
  action,
  sending,
  shown = [],
  onClose,
  onSubmit,
  children,
  ...dialog
}: FormDialogProps) {
  const id = useId();
  const isShown = shown.some((path) => sending.wrong(path) !== undefined);
  const submit = (event: Event) => {
    event.preventDefault();
    onSubmit();
  };
  return (
    <Dialog
      {...dialog}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" form={id} busy={sending.isBusy}>
            {action}
          </Button>
        </>
      }
    >
      <form id={id} class="stack" onSubmit={submit} noValidate>
        {children}
        {!isShown && <Problems error={sending.error} />}
      </form>
    </Dialog>
  );
}
