/** Browsers lay out nothing higher than about 17 million pixels (Firefox) or 33 million (Chromium, Safari). */
const HIGHEST = 15_000_000;

/**
 * Where a list of any number of lines of one height is scrolled to, in an element that can't be as high as all of them.
 * Small movements move the lines by as many pixels; long ones, as with the scroll bar, by as large a part of the list.
 */
export class VirtualScroll {
  /** The height of the element that scrolls. */
  readonly height: number;
  readonly #total: number;
  readonly #view: number;
  #scrollTop = 0;
  /** The pixels of the list above the view. */
  top = 0;

  constructor(lines: number, lineHeight: number, view: number, before?: VirtualScroll) {
    this.#total = lines * lineHeight;
    this.#view = view;
    this.height = Math.min(this.#total, HIGHEST);
    if (before !== undefined) {
      this.top = Math.min(before.top, this.#maxTop);
      this.#scrollTop = before.#scrollTop;
    }
  }

  get #maxTop(): number {
    return Math.max(0, this.#total - this.#view);
  }

  get #maxScroll(): number {
    return Math.max(0, this.height - this.#view);
  }

  /** Takes a position of the element from a scroll event. */
  scrolled(scrollTop: number): void {
    const moved = scrollTop - this.#scrollTop;
    this.#scrollTop = scrollTop;
    if (this.height === this.#total) this.top = scrollTop;
    else if (scrollTop <= 0) this.top = 0;
    else if (scrollTop >= this.#maxScroll) this.top = this.#maxTop;
    else if (Math.abs(moved) <= 2 * this.#view) this.top += moved;
    else this.top = (scrollTop / this.#maxScroll) * this.#maxTop;
    this.top = Math.min(Math.max(0, this.top), this.#maxTop);
  }

  /** Goes to a pixel of the list. Returns the position for the element. */
  goTo(top: number): number {
    this.top = Math.min(Math.max(0, top), this.#maxTop);
    return this.atRest();
  }

  /** Where the element should be after small movements, so that there is room left in both directions. */
  atRest(): number {
    this.#scrollTop =
      this.height === this.#total ? this.top : Math.round((this.top / (this.#maxTop || 1)) * this.#maxScroll);
    return this.#scrollTop;
  }
}
