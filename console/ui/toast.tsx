import { signal } from "@preact/signals";

interface Message {
  id: number;
  text: string;
  isBad: boolean;
}

const messages = signal<readonly Message[]>([]);
const SHOWN_MS = 5_000;
let last = 0;

/** Says something for some seconds, also to those who don't see it. Errors that need an answer don't belong here. */
export function toast(text: string, { isBad = false } = {}): void {
  last += 1;
  const id = last;
  messages.value = [...messages.value, { id, text, isBad }];
  setTimeout(() => {
    messages.value = messages.value.filter((message) => message.id !== id);
  }, SHOWN_MS);
}

/** The place of all messages, once in the page. */
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
