import { useEffect, useRef } from "preact/hooks";

export interface Tab {
  id: string;
  title: string;
  /** Where the tab is: each has an address of its own. */
  href: string;
}

/** How much of the tab before the current one stays in sight, in pixels. */
const PEEK = 64;

/** Views of one thing, as links, so that each has an address and the browser's back button works. */
export function Tabs({ label, tabs, current }: { label: string; tabs: readonly Tab[]; current: string }) {
  const ref = useRef<HTMLElement>(null);
  useEffect(() => {
    const tab = ref.current?.querySelector<HTMLElement>("[aria-current]");
    // Where there is little room, the tabs scroll.
    if (ref.current && tab) ref.current.scrollLeft = tab.offsetLeft - ref.current.offsetLeft - PEEK;
  }, [current]);
  return (
    <nav ref={ref} class="tabs" aria-label={label}>
      {tabs.map(({ id, title, href }) => (
        <a key={id} href={href} aria-current={id === current ? "page" : undefined}>
          {title}
        </a>
      ))}
    </nav>
  );
}
