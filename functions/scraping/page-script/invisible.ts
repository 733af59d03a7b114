/** Characters that a text may have although nobody sees them: hints where a word may break, and marks of direction. */
export const INVISIBLE = /[\u00ad\u200b\u200e\u200f\ufeff]/g;
