import type { RefObject } from "preact";
import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { VirtualScroll } from "./virtual-scroll.ts";

/** How long after the last scroll event the position of the scroll bar is corrected, in ms. */
const REST_MS = 120;

export interface Viewport {
  scroll: VirtualScroll;
  /** Size and horizontal position of the visible part, in px. The height is without the header. */
  width: number;
  height: number;
  left: number;
  onScroll: () => void;
  /** Scrolls until a line is visible. */
  showLine: (line: number) => void;
}

interface Lines {
  count: number;
  height: number;
  /** The height of the header above the lines, which does not scroll, in px. */
  head: number;
}

/** Tracks the visible part of an element that scrolls over any number of lines. */
export function useViewport(
  ref: RefObject<HTMLElement | null>,
  { count, height: lineHeight, head }: Lines,
): Viewport {
  const [size, setSize] = useState({ width: 800, height: 480 });
  const [position, setPosition] = useState({ left: 0, top: 0 });
  const before = useRef<VirtualScroll | undefined>(undefined);
  const view = Math.max(lineHeight, size.height - head);
  const scroll = useMemo(
    () => new VirtualScroll(count, lineHeight, view, before.current),
    [count, lineHeight, view],
  );
  before.current = scroll;

  useLayoutEffect(() => {
    const element = ref.current;
    if (element === null) return;
    const measure = () => setSize({ width: element.clientWidth, height: element.clientHeight });
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    measure();
    return () => observer.disconnect();
  }, [ref]);

  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const rest = useCallback(() => {
    if (ref.current !== null && before.current !== undefined) ref.current.scrollTop = before.current.atRest();
  }, [ref]);
  useEffect(() => () => clearTimeout(timer.current), []);

  const onScroll = useCallback(() => {
    const element = ref.current;
    if (element === null) return;
    scroll.scrolled(element.scrollTop);
    setPosition({ left: element.scrollLeft, top: scroll.top });
    clearTimeout(timer.current);
    timer.current = setTimeout(rest, REST_MS);
  }, [ref, scroll, rest]);

  const showLine = useCallback(
    (line: number) => {
      const element = ref.current;
      const top = line * lineHeight;
      if (element === null) return;
      if (top < scroll.top) element.scrollTop = scroll.goTo(top);
      else if (top + lineHeight > scroll.top + view) element.scrollTop = scroll.goTo(top + lineHeight - view);
      setPosition({ left: element.scrollLeft, top: scroll.top });
    },
    [ref, scroll, lineHeight, view],
  );
  return { scroll, width: size.width, height: view, left: position.left, onScroll, showLine };
}
