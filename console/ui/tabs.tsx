import { useEffect, useRef } from "preact/hooks";

export interface Tab {
  id: string;
  title: string;
  /** The address of the tab. */
  href: string;
}

/** How much of the tab before the current one stays visible, in px. */
const PEEK = 64;

/** Tabs. They are links, so that each tab has its own address and the browser's back button works. */
export function Tabs({ label, tabs, current }: { label: string; tabs: readonly Tab[]; current: string }) {
  const ref = useRef<HTMLElement>(null);
  useEffect(() => {
    const tab = ref.current?.querySelector<HTMLElement>("[aria-current]");
    // On a narrow screen, the tabs can be scrolled, and the current one may be out of view.
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
