import { useState } from "preact/hooks";
import { Button } from "./button.tsx";
import { toast } from "./toast.tsx";

/** Copies a text to the clipboard. Shows an error if the browser forbids it. @returns whether it worked */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    toast("The browser does not allow copying. Select the text and copy it yourself.", { isBad: true });
    return false;
  }
}

/** A button that copies a text. `what` names the text for screen readers if the label is only "Copy". */
export function CopyButton({ text, what, label = "Copy" }: { text: string; what: string; label?: string }) {
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    if (!(await copyText(text))) return;
    setCopied(true);
    setTimeout(() => setCopied(false), 1_500);
  };
  return (
    <Button
      kind="quiet"
      class="small"
      aria-label={label === "Copy" ? `Copy ${what}` : undefined}
      onClick={copy}
    >
      {copied ? "Copied" : label}
    </Button>
  );
}
