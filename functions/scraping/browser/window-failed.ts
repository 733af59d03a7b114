/** No browser could be opened, it could not open the page, or it has no cookies yet. */
export class WindowFailed extends Error {
  override name = "WindowFailed";
}

/** The person has closed the browser. */
export class WindowClosed extends WindowFailed {
  override name = "WindowClosed";
}
