import { CopyButton } from "./copy.tsx";

/** A value as JSON with syntax highlighting. All text is rendered as text, never as HTML. */
export function Json({ value, what }: { value: unknown; what: string }) {
  const text = JSON.stringify(value, null, 2);
  return (
    <div class="code-frame">
      <div class="code-tools">
        <CopyButton text={text} what={what} />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls has to be reached by keyboard. */}
      <pre class="code" tabIndex={0}>
        <code>
          {tokensOf(text).map(({ text, kind }) =>
            kind === "" ? text : <span class={`json-${kind}`}>{text}</span>,
          )}
        </code>
      </pre>
    </div>
  );
}

const TOKEN = /("(?:[^"\\]|\\.)*")(\s*:)?|\b(?:true|false|null)\b|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;
/** A text longer than this many characters is not highlighted, because that makes the page slow. */
const COLOURED = 200_000;

function tokensOf(text: string): { text: string; kind: string }[] {
  if (text.length > COLOURED) return [{ text, kind: "" }];
  const tokens: { text: string; kind: string }[] = [];
  let at = 0;
  for (const match of text.matchAll(TOKEN)) {
    const [all, string, colon] = match;
    if (match.index > at) tokens.push({ text: text.slice(at, match.index), kind: "" });
    if (string === undefined) tokens.push({ text: all, kind: "atom" });
    else {
      tokens.push({ text: string, kind: colon === undefined ? "string" : "key" });
      if (colon !== undefined) tokens.push({ text: colon, kind: "" });
    }
    at = match.index + all.length;
  }
  tokens.push({ text: text.slice(at), kind: "" });
  return tokens;
}
