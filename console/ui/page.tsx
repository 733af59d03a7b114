import type { ComponentChildren } from "preact";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";

export interface PageFrameProps {
  title: string;
  /** Above the title: where this page belongs. */
  parent?: { title: string; href: string };
  /** Beside the title. */
  badge?: ComponentChildren;
  /** Below the title: what one wants to know first. */
  facts?: ComponentChildren;
  actions?: ComponentChildren;
  children: ComponentChildren;
}

/** A page: its title gets the focus when the page is shown, so that those who don't see it know where they are. */
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

/** The first page leaves the focus where the browser has it. */
let wasShown = false;

/** A part of a page under a title. */
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
