import type { ComponentChildren } from "preact";
import { useId, useLayoutEffect, useRef } from "preact/hooks";
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

/**
 * A modal dialog, open while it is rendered. The browser keeps the focus inside. Escape, "Close" and a click beside it
 * call `onClose` and leave the dialog open until it is removed. If it closed first, somebody could open the same dialog
 * again before it is removed, and it would stay closed.
 */
export function Dialog({ title, onClose, children, actions, isWide = false, stays = false }: DialogProps) {
  const ref = useRef<HTMLDialogElement>(null);
  const id = useId();
  useLayoutEffect(() => {
    const before = document.activeElement;
    const dialog = ref.current;
    dialog?.showModal();
    return () => {
      // Nothing outside of an open modal dialog can have the focus.
      dialog?.close();
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
      // Without a click or a key before, Escape closes the dialog without a cancel event.
      onClose={() => {
        if (ref.current !== null) onClose();
      }}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onClick={(event) => {
        if (event.target === ref.current && !stays) onClose();
      }}
    >
      <div class="dialog-body">
        <header class="dialog-head">
          <h2 id={id}>{title}</h2>
          <Button kind="quiet" class="icon" aria-label="Close" onClick={onClose}>
            ✕
          </Button>
        </header>
        {children}
        {actions !== undefined && <footer class="dialog-actions">{actions}</footer>}
      </div>
    </dialog>
  );
}
