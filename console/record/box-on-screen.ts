import type { Box } from "./model/page-map.ts";

/**
 * The position in the window, in px, of an element of the recorded page: its place on the screenshot. If the elements
 * are shown as a list instead, the position of the buttons below the list.
 */
export function boxOnScreen({ x, y, height }: Box): Pick<DOMRect, "left" | "top" | "bottom"> {
  const picture = document.querySelector<HTMLElement>(".picture");
  const box = (picture ?? document.querySelector(".element-list .buttons"))?.getBoundingClientRect();
  if (box === undefined) return { left: 0, top: 0, bottom: 0 };
  const width = Number(picture?.dataset.width);
  if (!(width > 0)) return box;
  const scale = box.width / width;
  const top = box.top + y * scale;
  return { left: box.left + x * scale, top, bottom: top + height * scale };
}
