import type { ComponentChildren } from "preact";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";

export interface PageFrameProps {
  title: string;
  /** The parent page. A link to it is shown above the title. */
  parent?: { title: string; href: string };
  /** Shown beside the title. */
  badge?: ComponentChildren;
  /** The most important facts, shown below the title. */
  facts?: ComponentChildren;
  actions?: ComponentChildren;
  children: ComponentChildren;
}

/** A page with its title. After a change of the page, the title gets the focus, so that screen readers announce it. */
export function Page({ title, parent, badge, facts, actions, children }: PageFrameProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useLayoutEffect(() => {
    document.title = `${title} · Gleaner`;
  }, [title]);
  useEffect(() => {
    if (wasShown) heading.current?.focus();
    wasShown = true;
  }, []);
  return (
    <div class="page">
      <header class="page-head">
        <div class="page-title">
          {parent !== undefined && (
            <a class="parent" href={parent.href}>
              {parent.title}
            </a>
          )}
          <div class="title-line">
            <h1 ref={heading} tabIndex={-1}>
              {title}
            </h1>
            {badge}
          </div>
          {facts !== undefined && <div class="facts">{facts}</div>}
        </div>
        {actions !== undefined && <div class="page-actions">{actions}</div>}
      </header>
      {children}
    </div>
  );
}

/** Whether a page was already shown. The first page does not move the focus. */
let wasShown = false;

/** A section of a page with a heading. `aside` is shown beside the heading. */
export function Section({
  title,
  aside,
  children,
}: {
  title: string;
  aside?: ComponentChildren;
  children: ComponentChildren;
}) {
  return (
    <section class="section" aria-label={title}>
      <header class="section-head">
        <h2>{title}</h2>
        {aside}
      </header>
      {children}
    </section>
  );
}
