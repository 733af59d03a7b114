import type { ComponentChildren } from "preact";
import { useId, useLayoutEffect, useRef } from "preact/hooks";
import { Button } from "./button.tsx";

/** Distances from the anchor and from the edges of the window, in px. */
const GAP = 8;
const MARGIN = 12;

type Anchor = Pick<DOMRect, "left" | "top" | "bottom">;

interface PopoverProps {
  title: string;
  /** Returns the current position in the window of the thing that the popover belongs to. */
  anchor: () => Anchor;
  onClose: () => void;
  children: ComponentChildren;
  actions: ComponentChildren;
}

/**
 * A small non-modal dialog beside its anchor, open while it is rendered. The browser closes it after Escape or a click
 * elsewhere, and moves the focus to the element with `autofocus`.
 */
export function Popover({ title, anchor, onClose, children, actions }: PopoverProps) {
  const ref = useRef<HTMLDivElement>(null);
  const id = useId();
  useLayoutEffect(() => {
    const before = document.activeElement;
    ref.current?.showPopover();
    return () => {
      // The browser restores the focus when a popover is hidden, but not when it is removed.
      if (before instanceof HTMLElement && before.isConnected) before.focus({ preventScroll: true });
    };
  }, []);
  useLayoutEffect(() => {
    const { current: popover } = ref;
    const move = () => popover && place(popover, anchor());
    move();
    const sized = new ResizeObserver(move);
    if (popover) sized.observe(popover);
    window.addEventListener("scroll", move, true);
    window.visualViewport?.addEventListener("resize", move);
    return () => {
      sized.disconnect();
      window.removeEventListener("scroll", move, true);
      window.visualViewport?.removeEventListener("resize", move);
    };
  }, [anchor]);
  return (
    <div
      ref={ref}
      class="popover"
      popover="auto"
      role="dialog"
      aria-labelledby={id}
      onToggle={(event) => {
        if (event.newState === "closed") onClose();
      }}
    >
      <div class="dialog-body">
        <header class="dialog-head">
          <h2 id={id}>{title}</h2>
          <Button kind="quiet" class="icon" aria-label="Close" onClick={() => ref.current?.hidePopover()}>
            ✕
          </Button>
        </header>
        {children}
        <footer class="dialog-actions">{actions}</footer>
      </div>
    </div>
  );
}

/**
 * Places the popover below its anchor, or above it if there is no room below. Keeps it inside the visual viewport,
 * which an on-screen keyboard makes smaller.
 */
function place(popover: HTMLElement, { left, top, bottom }: Anchor): void {
  const { width, height } = popover.getBoundingClientRect();
  const lowest = (window.visualViewport?.height ?? innerHeight) - MARGIN - height;
  const above = top - GAP - height;
  const below = bottom + GAP;
  const y = below <= lowest || above < MARGIN ? Math.min(below, lowest) : above;
  const x = Math.min(left, document.documentElement.clientWidth - MARGIN - width);
  popover.style.setProperty("left", `${Math.max(MARGIN, x)}px`);
  popover.style.setProperty("top", `${Math.max(MARGIN, y)}px`);
}
