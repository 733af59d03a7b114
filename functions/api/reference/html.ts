const ENTITIES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

/** Escapes a text for HTML, also for attributes in double quotes. */
export const escaped = (text: string): string => text.replace(/[&<>"]/g, (one) => ENTITIES[one] ?? one);

/** The HTML of a text in which backticks mark code. */
export const prose = (text: string): string => escaped(text).replace(/`([^`]+)`/g, "<code>$1</code>");

export const code = (text: string): string => `<code>${escaped(text)}</code>`;

/** A block of code. It can be focused, so that the keyboard can scroll it. */
export const block = (text: string): string => `<pre tabindex="0"><code>${escaped(text)}</code></pre>`;

/** The HTML of a path. A line break is allowed before each slash. */
export const breakable = (path: string): string => escaped(path).replaceAll("/", "<wbr>/");
