const ENTITIES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

export const escaped = (text: string): string => text.replace(/[&<>"]/g, (one) => ENTITIES[one] ?? one);

/** A text of the document, in which backticks mark code. */
export const prose = (text: string): string => escaped(text).replace(/`([^`]+)`/g, "<code>$1</code>");

export const code = (text: string): string => `<code>${escaped(text)}</code>`;

/** Lines of code, which the keyboard can scroll. */
export const block = (text: string): string => `<pre tabindex="0"><code>${escaped(text)}</code></pre>`;

/** A path that breaks between its parts where it is too long for a line. */
export const breakable = (path: string): string => escaped(path).replaceAll("/", "<wbr>/");
