import type { ButtonHTMLAttributes, ComponentChildren } from "preact";

export interface ButtonProps extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, "size"> {
  /** `primary`: the one action that a page is for. */
  kind?: "primary" | "danger" | "quiet" | undefined;
  /** An action is under way: the button can't be pressed again. */
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
