import { CopyButton } from "./copy.tsx";

/** A command that people type in a terminal. `what` names it for screen readers. */
export function CommandLine({ command, what }: { command: string; what: string }) {
  return (
    <div class="command-line">
      <code>{command}</code>
      <CopyButton text={command} what={what} />
    </div>
  );
}
