import type { ButtonHTMLAttributes, ComponentChildren } from "preact";
import type { Scope } from "../../functions/contract/scope.ts";
import { refusalOf } from "../api/session.ts";

export interface ButtonProps extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, "size"> {
  /** The style. `primary` is for the main action of a page. */
  kind?: "primary" | "danger" | "quiet" | undefined;
  /** Whether the action is in progress. Then the button can't be clicked. */
  busy?: boolean | undefined;
  /** The scope that the action needs. A session without it sees a disabled button that says why. */
  needs?: Scope;
  children: ComponentChildren;
}

export function Button({ kind, busy = false, needs, class: classes = "", children, ...rest }: ButtonProps) {
  const refusal = needs && refusalOf(needs);
  const isOff = busy || refusal !== undefined;
  return (
    <button
      type="button"
      {...rest}
      {...(refusal !== undefined && { type: "button", title: refusal })}
      class={`button ${kind ?? ""} ${classes}`}
      aria-busy={busy}
      aria-disabled={isOff || undefined}
      onClick={isOff ? undefined : rest.onClick}
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
