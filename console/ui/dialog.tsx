import type { ComponentChildren } from "preact";
import { useEffect, useId, useRef } from "preact/hooks";
import { Button } from "./button.tsx";

interface DialogProps {
  title: string;
  onClose: () => void;
  children: ComponentChildren;
  /** The buttons. The main one comes last. */
  actions?: ComponentChildren;
  isWide?: boolean;
  /** Whether it stays open when somebody clicks beside it. */
  stays?: boolean;
}

/** A modal dialog, open while it is rendered. The browser keeps the focus inside, and Escape closes the dialog. */
export function Dialog({ title, onClose, children, actions, isWide = false, stays = false }: DialogProps) {
  const ref = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    const before = document.activeElement;
    ref.current?.showModal();
    return () => {
      // The browser restores the focus when a dialog is closed, but not when it is removed.
      if (before instanceof HTMLElement && before.isConnected) before.focus({ preventScroll: true });
    };
  }, []);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes it, by the browser.
    <dialog
      ref={ref}
      class={`dialog ${isWide ? "wide" : ""}`}
      aria-labelledby={id}
      onClose={onClose}
      onClick={(event) => {
        if (event.target === ref.current && !stays) ref.current?.close();
      }}
    >
      <div class="dialog-body">
        <header class="dialog-head">
          <h2 id={id}>{title}</h2>
          <Button kind="quiet" class="icon" aria-label="Close" onClick={() => ref.current?.close()}>
            ✕
          </Button>
        </header>
        {children}
        {actions !== undefined && <footer class="dialog-actions">{actions}</footer>}
      </div>
    </dialog>
  );
}
