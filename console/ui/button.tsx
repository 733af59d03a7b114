import type { ButtonHTMLAttributes, ComponentChildren } from "preact";

export interface ButtonProps extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, "size"> {
  /** The style. `primary` is for the main action of a page. */
  kind?: "primary" | "danger" | "quiet" | undefined;
  /** Whether the action is in progress. Then the button can't be clicked. */
  busy?: boolean | undefined;
  children: ComponentChildren;
}

export function Button({ kind, busy = false, class: classes = "", children, ...rest }: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      class={`button ${kind ?? ""} ${classes}`}
      aria-busy={busy}
      aria-disabled={busy || undefined}
      onClick={busy ? undefined : rest.onClick}
    >
      {children}
    </button>
  );
}

/** A link that looks like a button. */
export function ButtonLink({
  href,
  kind,
  children,
}: {
  href: string;
  kind?: "primary" | "quiet";
  children: ComponentChildren;
}) {
  return (
    <a class={`button ${kind ?? ""}`} href={href}>
      {children}
    </a>
  );
}
