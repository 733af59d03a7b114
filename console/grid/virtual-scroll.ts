/** In px. Browsers limit the height of an element to about 17 million px (Firefox) or 33 million (Chromium, Safari). */
const MAX_HEIGHT = 15_000_000;

/**
 * The scroll position of a list whose total height may exceed what browsers support. Then the content of the scrolling
 * element is less high than the list. A small movement of the element moves the list by the same number of pixels. A
 * large movement, as with the scroll bar, moves the list by the same share of its height.
 */
export class VirtualScroll {
  /** The height of the content of the scrolling element, in px. */
  readonly height: number;
  readonly #total: number;
  readonly #view: number;
  #scrollTop = 0;
  /** The distance between the top of the list and the top of the view, in px. */
  top = 0;

  constructor(lines: number, lineHeight: number, view: number, before?: VirtualScroll) {
    this.#total = lines * lineHeight;
    this.#view = view;
    this.height = Math.min(this.#total, MAX_HEIGHT);
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

  /** Updates `top` after a scroll event. `scrollTop` is the new position of the element. */
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

  /** Scrolls the list to `top`. Returns the `scrollTop` that the element must get. */
  goTo(top: number): number {
    this.top = Math.min(Math.max(0, top), this.#maxTop);
    return this.atRest();
  }

  /**
   * Returns the `scrollTop` that the element must get after small movements. It matches the share of the list that is
   * above the view, so the element can move in both directions again.
   */
  atRest(): number {
    this.#scrollTop =
      this.height === this.#total ? this.top : Math.round((this.top / (this.#maxTop || 1)) * this.#maxScroll);
    return this.#scrollTop;
  }
}
