import { statusWord } from "../../functions/contract/runs/status-words.ts";

/** The status of a run, of an input of a batch, or of a batch, in the word that it has everywhere. */
export function StatusBadge({ of }: { of: Parameters<typeof statusWord>[0] }) {
  const { word, tone } = statusWord(of);
  return <span class={`status ${tone}`}>{word}</span>;
}
