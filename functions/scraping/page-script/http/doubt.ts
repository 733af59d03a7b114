/** Why the HTML of a page can't stand for the page in the browser, as the end of a sentence. */
export class Doubt extends Error {}
