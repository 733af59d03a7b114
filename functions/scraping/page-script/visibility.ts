/// <reference lib="dom" />

/** Whether a person could see the element, apart from a held layout. */
export function isShown(element: Element): boolean {
  const style = getComputedStyle(element);
  if (style.visibility !== "visible") return false;
  for (let at: Element | null = element; at; at = at.parentElement) {
    const display = at === element ? style.display : getComputedStyle(at).display;
    if (display === "none") return false;
  }
  return true;
}
