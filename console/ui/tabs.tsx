export interface Tab {
  id: string;
  title: string;
  /** Where the tab is: each has an address of its own. */
  href: string;
}

/** Views of one thing, as links, so that each has an address and the browser's back button works. */
export function Tabs({ label, tabs, current }: { label: string; tabs: readonly Tab[]; current: string }) {
  return (
    <nav class="tabs" aria-label={label}>
      {tabs.map(({ id, title, href }) => (
        <a key={id} href={href} aria-current={id === current ? "page" : undefined}>
          {title}
        </a>
      ))}
    </nav>
  );
}
