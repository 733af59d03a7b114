import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { ApiError, messageOf } from "../api/api-error.ts";
import { Button } from "./button.tsx";

/** A message shown instead of an empty list or page. */
export function Empty({ title, children }: { title: string; children?: ComponentChildren }) {
  return (
    <div class="empty">
      <p class="empty-title">{title}</p>
      {children !== undefined && <div class="empty-text">{children}</div>}
    </div>
  );
}

/**
 * A placeholder for content that is loading. It has about the same size, so that the page does not shift afterwards.
 */
export function Loading({ lines = 6, what }: { lines?: number; what: string }) {
  return (
    <div class="loading" role="status" aria-label={`Loading ${what}`}>
      {Array.from({ length: lines }, (_, index) => (
        <span key={index} class="loading-line" />
      ))}
    </div>
  );
}

const TITLES: Record<number, string> = {
  0: "Offline",
  403: "Not allowed",
  404: "Not found",
  429: "Too many requests",
};

/** An error message shown instead of content that could not be loaded. */
export function ErrorState({ error, retry }: { error: unknown; retry?: (() => void) | undefined }) {
  const status = error instanceof ApiError ? error.status : undefined;
  return (
    <div class="error-state" role="alert">
      <p class="empty-title">{TITLES[status ?? -1] ?? "Something went wrong"}</p>
      <p>{messageOf(error)}</p>
      {retry !== undefined && status !== 404 && (
        <Button onClick={retry}>{status === 0 ? "Try again now" : "Try again"}</Button>
      )}
    </div>
  );
}

/** Scrolls to an element whenever `news` changes, because the result of an action may be out of view. */
export function useInSight<T extends HTMLElement>(news: unknown) {
  const ref = useRef<T>(null);
  useEffect(() => ref.current?.scrollIntoView({ block: "nearest" }), [news]);
  return ref;
}

/** The error of an action. For an invalid request, it lists all problems. */
export function Problems({ error }: { error: unknown }) {
  const ref = useInSight<HTMLDivElement>(error);
  if (error === undefined || error === null) return null;
  const problems = error instanceof ApiError ? error.errors : [];
  return (
    <div ref={ref} class="notice bad" role="alert">
      <p>{messageOf(error)}</p>
      {problems.length > 0 && (
        <ul>
          {problems.map(({ path, message }) => (
            <li key={path + message}>
              {path !== "" && <code>{path}</code>} {message}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

/** A box with a message about the content below it. */
export function Notice({
  tone,
  title,
  children,
}: {
  tone: "bad" | "warn" | "info";
  title: string;
  children?: ComponentChildren;
}) {
  return (
    <section class={`notice ${tone}`} aria-label={title}>
      <p class="notice-title">{title}</p>
      {children}
    </section>
  );
}
