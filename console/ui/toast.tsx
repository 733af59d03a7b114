import { signal } from "@preact/signals";

interface Message {
  id: number;
  text: string;
  isBad: boolean;
}

const messages = signal<readonly Message[]>([]);
const SHOWN_MS = 5_000;
let last = 0;

/**
 * Shows a short message for some seconds. Screen readers announce it. Don't use it for errors that the user must act
 * on.
 */
export function toast(text: string, { isBad = false } = {}): void {
  last += 1;
  const id = last;
  messages.value = [...messages.value, { id, text, isBad }];
  setTimeout(() => {
    messages.value = messages.value.filter((message) => message.id !== id);
  }, SHOWN_MS);
}

/** Shows all current messages. The page has it once. */
export function Toasts() {
  return (
    <div class="toasts" role="status">
      {messages.value.map(({ id, text, isBad }) => (
        <p key={id} class={`toast ${isBad ? "bad" : ""}`}>
          {text}
        </p>
      ))}
    </div>
  );
}
