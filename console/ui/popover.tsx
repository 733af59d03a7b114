import type { ComponentChildren } from "preact";
import { useId, useLayoutEffect, useRef } from "preact/hooks";
import { Button } from "./button.tsx";

/** Distances from what it belongs to, and from the edges of the window. */
const GAP = 8;
const MARGIN = 12;

type Anchor = Pick<DOMRect, "left" | "top" | "bottom">;

interface PopoverProps {
  title: string;
  /** Where the thing that it belongs to stands in the window. */
  anchor: () => Anchor;
  onClose: () => void;
  children: ComponentChildren;
  actions: ComponentChildren;
}

/**
 * A small dialog beside what it belongs to, while it is rendered. The rest of the page stays usable: Escape and a click
 * elsewhere close it. The browser does that, and sets the focus on the element with `autofocus`.
 */
export function Popover({ title, anchor, onClose, children, actions }: PopoverProps) {
  const ref = useRef<HTMLDivElement>(null);
  const id = useId();
  useLayoutEffect(() => {
    const before = document.activeElement;
    ref.current?.showPopover();
    return () => {
      // The browser gives the focus back when it hides a popover, and not when the popover is removed.
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

/** Below its anchor, else above it, and within what is visible: a keyboard on the screen takes some of the window. */
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
