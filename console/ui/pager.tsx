import { count } from "../format/numbers.ts";

interface PagerProps {
  page: number;
  next: number | null;
  /** Returns the address of a page. */
  href: (page: number) => string;
}

/** Links to the previous and the next page of a list. */
export function Pager({ page, next, href }: PagerProps) {
  if (page === 1 && next === null) return null;
  return (
    <nav class="pager" aria-label="Pages">
      {page > 1 && (
        <a class="button" href={href(page - 1)}>
          Newer
        </a>
      )}
      <span class="pager-page">Page {count(page)}</span>
      {next !== null && (
        <a class="button" href={href(next)}>
          Older
        </a>
      )}
    </nav>
  );
}
