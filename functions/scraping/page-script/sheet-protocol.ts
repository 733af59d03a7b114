/** What crosses between the engine and the page script about style sheets. */

/** What the rules of one or all style sheets can do. */
export interface Suspects {
  /** Selectors of rules that may change the text of what they match and of everything below. */
  own: string[];
  /** Selectors of rules that matter inside an element with inline children. */
  inside: string[];
  /** Selectors of rules that may make a block inline. */
  inlined: string[];
  /** Selectors of the rules in `own` that may hide what they match. */
  hiding: string[];
  /** Selectors of rules by which what they match takes no clicks. */
  inert: string[];
  /** Whether part of the page is only laid out when it comes into view. */
  lazy: boolean;
}

/** What one style sheet can do. `key` identifies its content. */
export interface LearnedSheet {
  key: string;
  suspects: Suspects;
}

/** What is known of a style sheet; null: nothing, because pages have found different things. */
export interface KnownSheet {
  key: string;
  suspects: Suspects | null;
}
