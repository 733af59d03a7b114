/** A value that a transform does not read. The message says why, and what to do. */
export class Refusal extends Error {
  override name = "Refusal";
}

/** A value that has one meaning only in a locale. */
export class LocaleNeeded extends Refusal {
  override name = "LocaleNeeded";
}
